import type { ZoneChanges } from '../../map/plan/zoneDrafts';
import { addRow, deleteRow, patchRow } from '../../providers/rows';

/** Stores changes one after the other. Calls `onStored` after each new zone, because a later one may fail. */
export async function saveZones(
  floorId: number,
  { deleted, changed, created }: ZoneChanges,
  onStored: (key: string, id: number) => void,
): Promise<void> {
  for (const id of deleted) await deleteRow('zones', id);
  for (const { id, body } of changed) await patchRow('zones', id, body);
  for (const { key, name, kind, every_days, polygon } of created)
    onStored(key, await addRow('zones', { floor_id: floorId, name, kind, every_days, polygon }));
}
