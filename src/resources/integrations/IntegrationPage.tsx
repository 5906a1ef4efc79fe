import './integrations.css';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { integrations } from '../../../schema/entities/integrations';
import { Details } from '../../crud/record/Details';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { NewSecretButton } from '../../ui/NewSecretButton';
import { MappingTab } from './MappingTab';
import { MessagesTab } from './MessagesTab';
import { OwnSecret } from './OwnSecret';
import { VendorAddress } from './VendorAddress';

type IntegrationRow = Row<typeof integrations>;

/** The page of an integration: URL and secret, a mapping by example, and unreadable messages. */
export function IntegrationPage() {
  const translate = useTranslate();
  const mayEdit = can('integrations', 'edit');
  return (
    <RecordPage
      entity={integrations}
      details={{
        label: translate('record.details'),
        element: (record) => (
          <>
            <Details entity={integrations} record={record} groups={recordGroups} />
            <VendorAddress integration={record as IntegrationRow}>
              {mayEdit && <Secrets integration={record as IntegrationRow} />}
            </VendorAddress>
          </>
        ),
      }}
      tabs={
        mayEdit
          ? [
              {
                name: 'mapping',
                label: translate('resources.integrations.fields.mapping'),
                element: (record) => <MappingTab integration={record as IntegrationRow} />,
              },
              {
                name: 'messages',
                label: translate('integrations.messages'),
                element: (record) => <MessagesTab integration={record as IntegrationRow} />,
              },
            ]
          : []
      }
    />
  );
}

/** Details without the mapping, which has its own tab. */
const recordGroups = [{ name: 'main', fields: ['name', 'preset', 'client_id', 'last_received', 'unread'] }];

/** Buttons that replace the secret. */
function Secrets({ integration }: { integration: IntegrationRow }) {
  const translate = useTranslate();
  const [isEntering, setEntering] = useState(false);
  const label = translate('integrations.new_secret');
  return (
    <div className="sl-buttons">
      <NewSecretButton
        label={label}
        question={{ title: `${label}: ${integration.name}`, description: translate('integrations.secret_confirm') }}
        dialog={{ title: translate('integrations.secret_title'), text: translate('integrations.secret_text') }}
        create={() => call('POST /integrations/{id}/secret', { params: { id: integration.id }, body: {} })}
      />
      <button type="button" className="sl-button" onClick={() => setEntering(true)}>
        {translate('integrations.own_secret')}
      </button>
      {isEntering && <OwnSecret integration={integration} onClose={() => setEntering(false)} />}
    </div>
  );
}
