import type { RaRecord } from 'ra-core';
import { type ReactNode, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import { floors } from '../../../schema/entities/floors';
import { runs } from '../../../schema/entities/runs';
import { zones } from '../../../schema/entities/zones';
import { ListPage } from '../../crud/list/ListPage';
import { Details } from '../../crud/record/Details';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import type { Filters } from '../../providers/filters';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazyPage } from '../../ui/lazyPage';
import type { FloorRecord } from './floorRecord';

const PlanTab = lazyPage(() => import('./PlanTab'), 'PlanTab');
const MapsTab = lazyPage(() => import('./MapsTab'), 'MapsTab');
const CoverageTab = lazyPage(() => import('./CoverageTab'), 'CoverageTab');

/**
 * The page of a floor. Its first tab is the plan with zones, followed by coverage, robot maps, zones, runs and details.
 */
export function FloorPage() {
  const translate = useTranslate();
  const listTab = (name: 'zones' | 'runs', element: (filter: Filters) => ReactNode) => ({
    name,
    label: translate(`resources.${name}.plural`),
    element: (floor: RaRecord) => element({ floor_id: floor.id as number }),
  });
  const planTab = (name: 'plan' | 'maps' | 'coverage', element: (floor: FloorRecord) => ReactNode) => ({
    name,
    label: translate(`floors.tab_${name}`),
    element: (floor: RaRecord) => (
      <Suspense fallback={<LoadingNotice what="data" />}>{element(floor as FloorRecord)}</Suspense>
    ),
  });
  return (
    <RecordPage
      entity={floors}
      details={planTab('plan', (floor) => <PlanTab key={floor.id} floor={floor} />)}
      tabs={[
        ...(can('runs', 'list') ? [planTab('coverage', (floor) => <CoverageTab key={floor.id} floor={floor} />)] : []),
        ...(can('machines', 'show') ? [planTab('maps', (floor) => <MapsTab key={floor.id} floor={floor} />)] : []),
        ...(can('zones', 'list')
          ? [listTab('zones', (filter) => <ListPage entity={zones} embedded filter={filter} />)]
          : []),
        ...(can('runs', 'list')
          ? [
              listTab('runs', (filter) => (
                <ListPage entity={runs} embedded filter={{ ...filter, superseded_by: null }} />
              )),
            ]
          : []),
        {
          name: 'details',
          label: translate('record.details'),
          element: (floor) => <Details entity={floors} record={floor} />,
        },
      ]}
    />
  );
}
