import type { RaRecord } from 'ra-core';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { clients } from '../../../schema/entities/clients';
import { Details, detailGroups } from '../../crud/record/Details';
import { RowForm } from '../../crud/record/EditPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { isEditable } from '../../crud/shared/entities';
import { can } from '../../providers/auth';
import { FleetsTab } from './FleetsTab';
import { LocationsTab } from './LocationsTab';
import { ManagementTab } from './ManagementTab';
import { RulesTab } from './RulesTab';

/**
 * The page of a client: management, fleets with machines, locations, alert rules (specification, section 2, "Clients
 * list and single client").
 */
export const ClientPage = () => <Client />;

/** The page in the administration, which edits the client in place (route table: "edit company"). */
export const CompanyPage = () => <Client profile={isEditable(clients) ? companyForm : undefined} />;

/** The form, followed by the fields that it lacks: counts and dates. */
const companyForm = (client: RaRecord) => (
  <>
    <RowForm entity={clients} />
    <Details
      entity={clients}
      record={client}
      groups={detailGroups(clients).filter(({ name }) => !Object.hasOwn(clients.form, name))}
    />
  </>
);

const Client = ({ profile }: { profile?: ((client: RaRecord) => ReactNode) | undefined }) => {
  const translate = useTranslate();
  const isAllowed = ({ reads }: { reads: string }) => can(reads, 'list');
  return (
    <RecordPage
      entity={clients}
      details={{
        label: translate('clients.management'),
        element: (client) => <ManagementTab client={client} profile={profile?.(client)} />,
        isForm: profile !== undefined,
      }}
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
};
