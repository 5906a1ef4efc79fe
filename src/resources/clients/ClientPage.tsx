import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { clients } from '../../../schema/entities/clients';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { FleetsTab } from './FleetsTab';
import { LocationsTab } from './LocationsTab';
import { ManagementTab } from './ManagementTab';
import { RulesTab } from './RulesTab';

/**
 * The page of a client: management, fleets with machines, locations (specification, section 2, "Clients list and single
 * client").
 */
export function ClientPage() {
  const translate = useTranslate();
  const isAllowed = ({ reads }: { reads: string }) => can(reads, 'list');
  return (
    <RecordPage
      entity={clients}
      details={{ label: translate('clients.management'), element: (client) => <ManagementTab client={client} /> }}
      tabs={[
        {
          name: 'fleets',
          reads: 'fleets',
          label: translate('clients.fleets_and_machines'),
          element: (client: RaRecord) => <FleetsTab client={client} />,
        },
        {
          name: 'locations',
          reads: 'locations',
          label: translate('clients.locations'),
          element: (client: RaRecord) => <LocationsTab client={client} />,
        },
        {
          name: 'alert_rules',
          reads: 'alert_rules',
          label: translate('resources.alert_rules.plural'),
          element: (client: RaRecord) => <RulesTab client={client} />,
        },
      ].filter(isAllowed)}
    />
  );
}
