import { useMemo, useState } from 'react';
import { draftsOf, hasChanges, type ZoneDrafts, type ZoneRow, zoneChanges } from '../../map/plan/zoneDrafts';

/** Drafts of the zones of a floor with their history; the stored zones until something is changed. */
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
    /** `isContinued`: part of the step before, such as the next pixel of a movement. */
    change: (next: ZoneDrafts, isContinued = false) =>
      setOwn({ drafts: next, past: isContinued && own ? own.past : [...(own?.past ?? []), drafts] }),
    undo: () =>
      setOwn((current) => {
        const before = current?.past.at(-1);
        return current && before && { drafts: before, past: current.past.slice(0, -1) };
      }),
    /** Back to what is stored. */
    reset: () => setOwn(undefined),
    /** Notes that a new zone is stored: steps before cannot be undone. */
    noteStored: (key: string, id: number) =>
      setOwn((current) => {
        const { zones } = current?.drafts ?? drafts;
        return { drafts: { zones: zones.map((zone) => (zone.key === key ? { ...zone, id } : zone)) }, past: [] };
      }),
  };
}
