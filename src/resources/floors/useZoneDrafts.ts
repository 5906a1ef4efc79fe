import { useMemo, useState } from 'react';
import {
  draftsOf,
  followStored,
  hasChanges,
  type ZoneDraft,
  type ZoneDrafts,
  type ZoneEdit,
  type ZoneRow,
  zoneChanges,
} from '../../map/plan/zoneDrafts';
import type { ZoneConflict } from './saveZones';

/** Zone drafts of a floor with undo. They start as the stored zones and are rebased on what others store meanwhile. */
export function useZoneDrafts(storedZones: readonly ZoneRow[]) {
  const start = useMemo(() => draftsOf(storedZones), [storedZones]);
  const [editState, setEditState] = useState<{ edit: ZoneEdit; undoStack: readonly ZoneEdit[] }>();
  const ownEdit = editState?.edit;
  const edit = useMemo(
    (): ZoneEdit => (ownEdit ? followStored(ownEdit, start) : { zones: start, base: start }),
    [ownEdit, start],
  );
  const changes = zoneChanges(edit.base, edit.zones);
  /** Changes the edit and clears the undo history. */
  const restart = (changeEdit: (current: ZoneEdit) => ZoneEdit) =>
    setEditState((current) => ({ edit: changeEdit(current?.edit ?? edit), undoStack: [] }));
  return {
    drafts: edit satisfies ZoneDrafts,
    changes,
    isDirty: edit.newOutline !== undefined || hasChanges(changes),
    canUndo: editState !== undefined && editState.undoStack.length > 0,
    /** `isContinued`: whether the change belongs to the previous step, such as the next pixel of a drag. */
    change: (next: ZoneDrafts, isContinued = false) =>
      setEditState({
        edit: { zones: next.zones, newOutline: next.newOutline, base: edit.base },
        undoStack: isContinued && editState ? editState.undoStack : [...(editState?.undoStack ?? []), edit],
      }),
    undo: () =>
      setEditState((current) => {
        const before = current?.undoStack.at(-1);
        return current && before && { edit: before, undoStack: current.undoStack.slice(0, -1) };
      }),
    /** Discards the edit and returns to the stored zones. */
    reset: () => setEditState(undefined),
    /** Records the id under which a new zone was stored. */
    recordStored: (key: string, id: number) =>
      restart(({ zones, base }) => ({ zones: zones.map((zone) => (zone.key === key ? { ...zone, id } : zone)), base })),
    /**
     * Bases the edit of the zone on what another user stored, so that the next save overwrites it. A zone that the
     * other user deleted becomes a new one.
     */
    acceptConflict: ({ zone: { id }, current }: ZoneConflict) =>
      restart(({ zones, base }) => ({
        zones: current ? zones : zones.map((zone) => (zone.id === id ? withoutRow(zone) : zone)),
        base: [...base.filter((zone) => zone.id !== id), ...(current ? draftsOf([current]) : [])],
      })),
  };
}

const withoutRow = ({ id, version, ...zone }: ZoneDraft): ZoneDraft => zone;
