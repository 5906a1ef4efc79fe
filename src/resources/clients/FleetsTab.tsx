import './clients.css';
import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import { fleets } from '../../../schema/entities/fleets';
import { machines } from '../../../schema/entities/machines';
import { ListPage } from '../../crud/list/ListPage';
import { can } from '../../providers/auth';
import { FleetBoard } from './FleetBoard';

/** The client's fleets and their machines. */
export function FleetsTab({ client }: { client: RaRecord }) {
  const translate = useTranslate();
  const filter = { client_id: client.id as number };
  return (
    <div className="sl-client-tab">
      {can('locations', 'list') && <FleetBoard client={client} />}
      <div className="sl-client-list">
        <h2>{translate('resources.fleets.plural')}</h2>
        <ListPage entity={fleets} embedded filter={filter} />
      </div>
      {can('machines', 'list') && (
        <div className="sl-client-list">
          <h2>{translate('resources.machines.plural')}</h2>
          <ListPage entity={machines} embedded filter={filter} />
        </div>
      )}
    </div>
  );
}
