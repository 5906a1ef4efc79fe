import { HttpError } from 'ra-core';
import type { ZoneChanges, ZoneRow, ZoneTarget } from '../../map/plan/zoneDrafts';
import { addRow, deleteRow, patchRow } from '../../providers/rows';

/** Thrown if another user changed the zone after its edit began, or deleted it: then `current` is undefined. */
export class ZoneConflict extends Error {
  constructor(
    readonly zone: ZoneTarget,
    readonly current: ZoneRow | undefined,
  ) {
    super(current ? 'floors.zone_changed' : 'floors.zone_deleted');
  }
}

/**
 * Stores changes one after the other. Calls `onStored` after each new zone, because a later call may fail.
 * @throws ZoneConflict instead of overwriting changes by others
 */
export async function saveZones(
  floorId: number,
  { deleted, changed, created }: ZoneChanges,
  onStored: (key: string, id: number) => void,
): Promise<void> {
  for (const zone of deleted)
    await deleteRow('zones', zone.id, zone.version).catch((error: unknown) => {
      // 404: another user has already deleted the zone.
      if (!isStatus(error, 404)) throw conflictOf(zone, error);
    });
  for (const { body, ...zone } of changed)
    await patchRow('zones', zone.id, body, zone.version).catch((error: unknown) => {
      throw conflictOf(zone, error);
    });
  for (const { key, name, kind, every_days, polygon } of created)
    onStored(key, await addRow('zones', { floor_id: floorId, name, kind, every_days, polygon }));
}

const isStatus = (error: unknown, status: number): error is HttpError =>
  error instanceof HttpError && error.status === status;

function conflictOf(zone: ZoneTarget, error: unknown): unknown {
  if (isStatus(error, 404)) return new ZoneConflict(zone, undefined);
  return isStatus(error, 412) ? new ZoneConflict(zone, (error.body as { current: ZoneRow }).current) : error;
}
