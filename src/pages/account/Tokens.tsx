import { useTranslate } from 'react-admin';
import type { ApiToken } from '../../../schema/endpoints/account';
import { formatDayOf } from '../../i18n/format';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';
import { RelativeTime } from '../../ui/RelativeTime';
import { Card } from './Card';
import { NewToken } from './NewToken';
import { OwnList } from './OwnList';
import { useAccountAction, useAccountQuery } from './useAccountQuery';

/** The user's API tokens: created, listed, revoked. */
export const Tokens = () => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const query = useAccountQuery('tokens', () => call('GET /account/tokens'));
  const run = useAccountAction('tokens');

  const revoke = async ({ id, name }: ApiToken) => {
    const button = translate('account.token_revoke');
    const isConfirmed = await confirm({
      title: translate('account.token_revoke_title', { name }),
      description: translate('account.token_revoke_text'),
      button,
    });
    if (isConfirmed) await run(() => call('DELETE /account/tokens/{id}', { params: { id } }), 'toasts.token_revoked');
  };

  return (
    <div className="sl-cards">
      <Card title={translate('account.new_token')}>
        <NewToken />
      </Card>
      <Card title={translate('account.tabs.tokens')}>
        <OwnList
          query={query}
          empty={translate('account.no_tokens')}
          row={(token) => ({
            title: token.name,
            mark: Date.parse(token.expires_at) < Date.now() ? translate('account.expired') : undefined,
            details: (
              <>
                <span>{translate(token.permissions ? 'account.token_limited' : 'account.token_all')}</span>
                <span>{translate('account.expires', { date: formatDayOf(token.expires_at) })}</span>
                <span>
                  {token.last_used_at ? (
                    <>
                      {translate('account.last_used')} <RelativeTime value={token.last_used_at} />
                    </>
                  ) : (
                    translate('account.never_used')
                  )}
                </span>
              </>
            ),
            action: (
              <button type="button" className="sl-button" onClick={() => void revoke(token)}>
                {translate('account.token_revoke')}
              </button>
            ),
          })}
        />
      </Card>
    </div>
  );
};
