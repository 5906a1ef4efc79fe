/** A machine as its page loads it: the row with the relations that the tabs draw. */
import type { Row } from '../../../schema/dsl/entity';
import type { fleets } from '../../../schema/entities/fleets';
import type { locations } from '../../../schema/entities/locations';
import type { machines } from '../../../schema/entities/machines';

export type MachineRow = Row<typeof machines> & {
  location?: Row<typeof locations> | null;
  fleet?: Row<typeof fleets> | null;
};
