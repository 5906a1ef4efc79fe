import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { formatDayOf } from '../../i18n/format';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';
import { SecretDialog } from '../../ui/SecretDialog';

const key = ['calendar'];

/** Creates, replaces and revokes the secret address of the calendar of due services. */
export const CalendarAddress = () => {
  const translate = useTranslate();
  const [url, setUrl] = useState<string>();
  const { since, isBusy, confirmChange, run, revoke } = useCalendar();
  const createAddress = async () => {
    if (since && !(await confirmChange('account.calendar_renew'))) return;
    await run(async () => setUrl((await call('POST /calendar')).data.url));
  };

  return (
    <div className="sl-form">
      <p>{translate('account.calendar_text')}</p>
      {since && <p>{translate('account.calendar_since', { date: formatDayOf(since) })}</p>}
      <div className="sl-buttons">
        <button
          type="button"
          className="sl-button"
          disabled={since === undefined || isBusy}
          onClick={() => void createAddress()}
        >
          {translate(since ? 'account.calendar_renew' : 'account.calendar_make')}
        </button>
        {since && (
          <button type="button" className="sl-button" onClick={() => void revoke()}>
            {translate('account.calendar_revoke')}
          </button>
        )}
      </div>
      {url && (
        <SecretDialog
          title={translate('account.calendar_title')}
          text={translate('account.calendar_once')}
          secret={url}
          onClose={() => setUrl(undefined)}
        />
      )}
    </div>
  );
};

/**
 * The calendar address in the list of sessions, since anybody who knows it can read as its owner. Renders nothing
 * without an address.
 */
export const CalendarLine = () => {
  const translate = useTranslate();
  const { since, revoke } = useCalendar();
  if (!since) return null;
  return (
    <ul className="sl-account-list">
      <li>
        <div>
          <p>
            <strong>{translate('account.calendar_title')}</strong>
          </p>
          <p className="sl-account-list__details">
            {translate('account.calendar_since', { date: formatDayOf(since) })}
          </p>
        </div>
        <button type="button" className="sl-button" onClick={() => void revoke()}>
          {translate('account.calendar_revoke')}
        </button>
      </li>
    </ul>
  );
};

/**
 * `since`: when the address was created, null without an address, `undefined` while loading. `run` changes the address,
 * shows an error as a notification, and reloads `since`; `isBusy` is true meanwhile.
 */
function useCalendar() {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { data: since } = useQuery({
    queryKey: key,
    queryFn: () => call('GET /calendar').then(({ data }) => data.created_at),
  });
  const confirmChange = (title: string) =>
    confirm({ title: translate(title), description: translate('account.calendar_confirm'), button: translate(title) });
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      await client.invalidateQueries({ queryKey: key });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  const revoke = async () => {
    if (!(await confirmChange('account.calendar_revoke'))) return;
    await run(async () => {
      await call('DELETE /calendar');
      notify('toasts.calendar_revoked', { type: 'success' });
    });
  };
  return { since, isBusy, confirmChange, run, revoke };
}
