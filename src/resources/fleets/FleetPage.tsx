import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { fleets } from '../../../schema/entities/fleets';
import { locations } from '../../../schema/entities/locations';
import { machines } from '../../../schema/entities/machines';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';

/** The page of a fleet with its locations and machines. */
export function FleetPage() {
  const translate = useTranslate();
  const tabs = [locations, machines]
    .filter(({ name }) => can(name, 'list'))
    .map((entity) => ({
      name: entity.name,
      label: translate(`resources.${entity.name}.plural`),
      element: ({ id }: RaRecord) => (
        <ListPage key={entity.name} entity={entity} embedded filter={{ fleet_id: id as number }} />
      ),
    }));
  return <RecordPage entity={fleets} tabs={tabs} />;
}
