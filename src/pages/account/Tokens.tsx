import { useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { Card } from './Card';
import { CredentialList } from './CredentialList';
import { NewToken } from './NewToken';

/** Creates, lists and revokes the user's API tokens. */
export const Tokens = () => {
  const translate = useTranslate();
  return (
    <div className="sl-cards">
      <Card title={translate('account.new_token')}>
        <NewToken />
      </Card>
      <Card title={translate('account.tabs.tokens')}>
        <CredentialList
          section="tokens"
          load={() => call('GET /account/tokens')}
          revoke={(id) => call('DELETE /account/tokens/{id}', { params: { id } })}
          texts={{ empty: 'account.no_tokens', confirm: 'account.token_revoke_text', revoked: 'toasts.token_revoked' }}
          detail={({ permissions }) => translate(permissions ? 'account.token_limited' : 'account.token_all')}
        />
      </Card>
    </div>
  );
};
