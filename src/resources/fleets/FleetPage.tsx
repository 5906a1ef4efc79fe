import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { fleets } from '../../../schema/entities/fleets';
import { locations } from '../../../schema/entities/locations';
import { machines } from '../../../schema/entities/machines';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';

/** The page of a fleet with its locations and machines. */
export function FleetPage() {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const tabs = [locations, machines]
    .filter(({ name }) => can(name, 'list'))
    .map((entity) => ({
      name: entity.name,
      label: translate(`resources.${entity.name}.plural`),
      element: ({ id }: RaRecord) => (
        <ListPage
          key={entity.name}
          entity={entity}
          embedded
          filter={{ fleet_id: id as number }}
          createPath={`${pathOf(entity.name, 'create')}?source=${encodeURIComponent(JSON.stringify({ fleet_id: id }))}`}
        />
      ),
    }));
  return <RecordPage entity={fleets} tabs={tabs} />;
}
