import { useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { Card } from './Card';
import { CredentialList } from './CredentialList';
import { NewWall } from './NewWall';

/** Creates, lists and revokes the user's walls. */
export const Walls = () => {
  const translate = useTranslate();
  return (
    <div className="sl-cards">
      <Card title={translate('account.new_wall')}>
        <NewWall />
      </Card>
      <Card title={translate('account.tabs.walls')}>
        <CredentialList
          section="walls"
          load={() => call('GET /account/walls')}
          revoke={(id) => call('DELETE /account/walls/{id}', { params: { id } })}
          texts={{ empty: 'account.no_walls', confirm: 'account.wall_revoke_text', revoked: 'toasts.wall_revoked' }}
        />
      </Card>
    </div>
  );
};
