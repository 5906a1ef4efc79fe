import type { RaRecord } from 'ra-core';
import { type ReactNode, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import type { Entity } from '../../../schema/dsl/entity';
import { floors } from '../../../schema/entities/floors';
import { runs } from '../../../schema/entities/runs';
import { zones } from '../../../schema/entities/zones';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazyPage } from '../../ui/lazyPage';
import type { FloorRecord } from './floorRecord';

const PlanTab = lazyPage(() => import('./PlanTab'), 'PlanTab');
const MapsTab = lazyPage(() => import('./MapsTab'), 'MapsTab');
const CoverageTab = lazyPage(() => import('./CoverageTab'), 'CoverageTab');

/** The page of a floor: plan with zones, coverage, robot maps, lists of its zones and runs. */
export function FloorPage() {
  const translate = useTranslate();
  const listTab = (entity: Entity) => ({
    name: entity.name,
    label: translate(`resources.${entity.name}.plural`),
    element: (floor: RaRecord) => <ListPage entity={entity} embedded filter={{ floor_id: floor.id as number }} />,
  });
  const tab = (name: 'plan' | 'maps' | 'coverage', element: (floor: FloorRecord) => ReactNode) => ({
    name,
    label: translate(`floors.tab_${name}`),
    element: (floor: RaRecord) => (
      <Suspense fallback={<LoadingNotice what="data" />}>{element(floor as FloorRecord)}</Suspense>
    ),
  });
  return (
    <RecordPage
      entity={floors}
      tabs={[
        tab('plan', (floor) => <PlanTab key={floor.id} floor={floor} />),
        ...(can('runs', 'list') ? [tab('coverage', (floor) => <CoverageTab key={floor.id} floor={floor} />)] : []),
        ...(can('machines', 'show') ? [tab('maps', (floor) => <MapsTab key={floor.id} floor={floor} />)] : []),
        ...[zones, runs].filter(({ name }) => can(name, 'list')).map(listTab),
      ]}
    />
  );
}
