import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { users } from '../../../schema/entities/users';
import { RecordPage } from '../../crud/record/RecordPage';
import { can, currentUser } from '../../providers/auth';
import { startImpersonation } from '../../providers/impersonation';
import { Dropdown } from '../../ui/Dropdown';
import { Icon } from '../../ui/Icon';
import { AccountActions } from './AccountActions';

/** The page of a user with explained access and impersonation. */
export const UserPage = () => <RecordPage entity={users} actions={(user) => <UserActions user={user} />} />;

function UserActions({ user }: { user: RaRecord }) {
  const translate = useTranslate();
  const ownUser = currentUser();
  return (
    <Dropdown
      className="sl-button sl-button-square"
      label={translate('list.more')}
      title={translate('list.more')}
      align="end"
      panel={() => (
        <div className="sl-menu-stack">
          <Link className="sl-button" to={`/users/access?user=${user.id}`}>
            <Icon name="admin" size={16} />
            {translate('access.link')}
          </Link>
          <AccountActions user={user} />
          {can('users', 'impersonate') && ownUser?.id !== user.id && !ownUser?.impersonated_by && (
            <ViewAs user={user} />
          )}
        </div>
      )}
    >
      <Icon name="more" size={18} />
    </Dropdown>
  );
}

function ViewAs({ user }: { user: RaRecord }) {
  const translate = useTranslate();
  const notify = useNotify();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const view = async () => {
    setBusy(true);
    try {
      await startImpersonation(user.id);
      // The impersonation must not show data that the administrator's own session has cached.
      client.clear();
      navigate('/');
    } catch (error) {
      setBusy(false);
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <button type="button" className="sl-button" disabled={isBusy} onClick={() => void view()}>
      <Icon name="show" size={16} />
      {translate('view.begin')}
    </button>
  );
}
