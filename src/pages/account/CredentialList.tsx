import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { formatDayOf } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { useConfirm } from '../../ui/ConfirmProvider';
import { RelativeTime } from '../../ui/RelativeTime';
import { AccountItemList } from './AccountItemList';
import { useAccountAction, useAccountQuery } from './useAccountQuery';

interface Credential {
  id: number;
  name: string;
  expires_at: string;
  last_used_at: string | null;
}

interface CredentialListProps<C extends Credential> {
  /** Section of the account in the query cache, such as `tokens`. */
  section: string;
  load: () => Promise<{ data: C[] }>;
  revoke: (id: number) => Promise<unknown>;
  /** Text keys of the empty list, the confirmation, and the toast after revoking. */
  texts: { empty: string; confirm: string; revoked: string };
  /** Further text of a credential, such as what it permits. */
  detail?: (credential: C) => ReactNode;
}

/** Credentials of the user with expiry, last use and a button to revoke each. */
export function CredentialList<C extends Credential>({ section, load, revoke, texts, detail }: CredentialListProps<C>) {
  const translate = useTranslate();
  const confirm = useConfirm();
  const query = useAccountQuery(section, load);
  const run = useAccountAction(section);

  const confirmAndRevoke = async ({ id, name }: C) => {
    const isConfirmed = await confirm({
      title: translate('account.token_revoke_title', { name }),
      description: translate(texts.confirm),
      button: translate('account.token_revoke'),
    });
    if (isConfirmed) await run(() => revoke(id), texts.revoked);
  };

  return (
    <AccountItemList
      query={query}
      empty={translate(texts.empty)}
      row={(credential) => ({
        title: credential.name,
        mark: Date.parse(credential.expires_at) < serverNow() ? translate('account.expired') : undefined,
        details: (
          <>
            {detail && <span>{detail(credential)}</span>}
            <span>{translate('account.expires', { date: formatDayOf(credential.expires_at) })}</span>
            <span>
              {credential.last_used_at ? (
                <>
                  {translate('account.last_used')} <RelativeTime value={credential.last_used_at} />
                </>
              ) : (
                translate('account.never_used')
              )}
            </span>
          </>
        ),
        action: (
          <button type="button" className="sl-button" onClick={() => void confirmAndRevoke(credential)}>
            {translate('account.token_revoke')}
          </button>
        ),
      })}
    />
  );
}
