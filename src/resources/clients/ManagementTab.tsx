import './clients.css';
import type { RaRecord } from 'ra-core';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { clients } from '../../../schema/entities/clients';
import { users } from '../../../schema/entities/users';
import { ListPage } from '../../crud/list/ListPage';
import { Details } from '../../crud/record/Details';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { Administrators } from './Administrators';

/** The client's profile (`profile` replaces the default view), its administrators, users and open invitations. */
export function ManagementTab({ client, profile }: { client: RaRecord; profile?: ReactNode }) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const source = encodeURIComponent(JSON.stringify({ client_id: client.id }));
  const filter = encodeURIComponent(JSON.stringify({ client_id: client.id }));
  return (
    <div className="sl-client-tab">
      {profile ?? <Details entity={clients} record={client} />}
      {can('users', 'list') && (
        <>
          <Administrators clientId={client.id} />
          <div className="sl-client-list">
            <header className="sl-client-head">
              <h2>{translate('resources.users.plural')}</h2>
              {can('invitations', 'list') && (
                <Link to={`${pathOf('invitations')}?filter=${filter}`}>{translate('users.invitations')}</Link>
              )}
              {can('invitations', 'create') && (
                <Link className="sl-button" to={`${pathOf('invitations', 'create')}?source=${source}`}>
                  {translate('users.new_invitation')}
                </Link>
              )}
            </header>
            <ListPage
              entity={users}
              embedded
              filter={{ client_id: client.id as number }}
              createPath={`${pathOf('users', 'create')}?source=${source}`}
            />
          </div>
        </>
      )}
    </div>
  );
}
