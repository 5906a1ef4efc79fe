import { lazy, Suspense, useMemo } from 'react';
import { useListContext } from 'react-admin';
import { machines } from '../../../schema/entities/machines';
import { filterOf } from '../../providers/filters';
import { LoadingNotice } from '../../ui/LoadingNotice';

const FleetTimeline = lazy(async () => ({ default: (await import('./FleetTimeline')).FleetTimeline }));

/** Timelines of the machines in the list, with the same filters. */
export function TimelineView() {
  const { filterValues } = useListContext();
  const filter = useMemo(() => filterOf(machines, filterValues), [filterValues]);
  return (
    <Suspense fallback={<LoadingNotice what="data" />}>
      <FleetTimeline filter={filter} />
    </Suspense>
  );
}
