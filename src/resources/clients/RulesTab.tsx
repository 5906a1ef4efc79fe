import './clients.css';
import type { RaRecord } from 'ra-core';
import { alertRules } from '../../../schema/entities/alert_rules';
import { ListPage } from '../../crud/list/ListPage';

/** The client's alert rules. */
export function RulesTab({ client }: { client: RaRecord }) {
  const filter = { client_id: client.id as number };
  return (
    <div className="sl-client-tab">
      <ListPage entity={alertRules} embedded filter={filter} />
    </div>
  );
}
