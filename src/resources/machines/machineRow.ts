/** A machine as its page loads it: the row with the relations that the tabs draw. */
import type { Row } from '../../../schema/dsl/entity';
import type { fleets } from '../../../schema/entities/fleets';
import type { locations } from '../../../schema/entities/locations';
import type { machines } from '../../../schema/entities/machines';
import type { types } from '../../../schema/entities/types';

export type MachineRow = Row<typeof machines> & {
  location?: Row<typeof locations> | null;
  fleet?: Row<typeof fleets> | null;
  type?: Row<typeof types> | null;
};

/** Seconds of silence before Offline: its own, else its type's; null: the protocol's. */
export const offlineAfterOf = ({ offline_after, type }: MachineRow): number | null =>
  offline_after ?? type?.offline_after ?? null;
