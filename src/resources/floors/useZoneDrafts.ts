import { useMemo, useState } from 'react';
import { draftsOf, hasChanges, type ZoneDrafts, type ZoneRow, zoneChanges } from '../../map/plan/zoneDrafts';

/** Zone drafts of a floor with their history; initially the stored zones. */
export function useZoneDrafts(stored: readonly ZoneRow[]) {
  const start = useMemo(() => draftsOf(stored), [stored]);
  const [own, setOwn] = useState<{ drafts: ZoneDrafts; past: readonly ZoneDrafts[] }>();
  const drafts = own?.drafts ?? { zones: start };
  const changes = zoneChanges(start, drafts.zones);
  return {
    drafts,
    changes,
    isDirty: drafts.drawn !== undefined || hasChanges(changes),
    canUndo: own !== undefined && own.past.length > 0,
    /** `isContinued`: part of the previous step, such as the next pixel of a drag. */
    change: (next: ZoneDrafts, isContinued = false) =>
      setOwn({ drafts: next, past: isContinued && own ? own.past : [...(own?.past ?? []), drafts] }),
    undo: () =>
      setOwn((current) => {
        const before = current?.past.at(-1);
        return current && before && { drafts: before, past: current.past.slice(0, -1) };
      }),
    /** Resets to the stored zones. */
    reset: () => setOwn(undefined),
    /** Marks a new zone as stored: earlier steps can no longer be undone. */
    noteStored: (key: string, id: number) =>
      setOwn((current) => {
        const { zones } = current?.drafts ?? drafts;
        return { drafts: { zones: zones.map((zone) => (zone.key === key ? { ...zone, id } : zone)) }, past: [] };
      }),
  };
}
