import { lazy, Suspense, useMemo } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import { machines } from '../../../schema/entities/machines';
import { usePeek } from '../../crud/shared/peek';
import { filterOf } from '../../providers/filters';

const MachineMap = lazy(async () => ({ default: (await import('../../map/MachineMap')).MachineMap }));

/** The machines of the list on a map, with the same filters except `trashed`: deleted machines have no position. */
export function MapView() {
  const translate = useTranslate();
  const { filterValues, total } = useListContext();
  const peek = usePeek();
  const filter = useMemo(
    () => filterOf(machines, filterValues).filter(({ path }) => path !== 'trashed'),
    [filterValues],
  );
  return (
    <Suspense
      fallback={
        <p className="sl-loading" role="status" data-room="map">
          {translate('map.loading')}
        </p>
      }
    >
      <MachineMap filter={filter} matchCount={filterValues.trashed === undefined ? total : undefined} peek={peek} />
    </Suspense>
  );
}
