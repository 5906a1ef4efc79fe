import { useTranslate } from 'react-admin';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import { session } from '../../providers/session';
import { useConfirm } from '../../ui/ConfirmProvider';
import { RelativeTime } from '../../ui/RelativeTime';
import { AccountItemList } from './AccountItemList';
import { CalendarLine } from './CalendarAddress';
import { useAccountAction, useAccountQuery } from './useAccountQuery';

/** The user's sessions, which can be ended one by one or all at once. */
export const Sessions = () => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const query = useAccountQuery('sessions', () => call('GET /account/sessions'));
  const run = useAccountAction('sessions');

  const endAll = async () => {
    const title = translate('account.end_all');
    if (!(await confirm({ title, description: translate('account.end_all_text'), button: title }))) return;
    // Ending the session redirects to /login.
    if (await run(() => call('DELETE /account/sessions'))) session.end();
  };

  return (
    <>
      <AccountItemList
        query={query}
        row={({ id, browser, system, address, created_at, last_used_at, is_current }) => ({
          title: [browser, system].filter(Boolean).join(' · ') || translate('account.unknown_device'),
          mark: is_current ? translate('account.this_session') : undefined,
          details: (
            <>
              {address && <span>{address}</span>}
              <span>
                {translate('account.last_used')} <RelativeTime value={last_used_at} />
              </span>
              <span>{translate('account.signed_in', { date: formatDateTime(created_at) })}</span>
            </>
          ),
          action: is_current ? undefined : (
            <button
              type="button"
              className="sl-button"
              onClick={() =>
                void run(() => call('DELETE /account/sessions/{id}', { params: { id } }), 'toasts.session_ended')
              }
            >
              {translate('account.end_session')}
            </button>
          ),
        })}
      />
      <CalendarLine />
      <button type="button" className="sl-button sl-account-list__foot" onClick={() => void endAll()}>
        {translate('account.end_all')}
      </button>
    </>
  );
};
