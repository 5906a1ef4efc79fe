/** A machine as its page loads it, with the relations that the tabs show. */
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

/**
 * Seconds of silence before the machine counts as Offline: its own limit, else its type's. Null if the protocol's limit
 * applies.
 */
export const offlineAfterOf = ({ offline_after, type }: MachineRow): number | null =>
  offline_after ?? type?.offline_after ?? null;
