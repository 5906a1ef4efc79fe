import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { CurrentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { download } from '../../providers/http';
import { session } from '../../providers/session';
import { useConfirm } from '../../ui/ConfirmProvider';
import { useServerForm } from '../../ui/useServerForm';
import { Card } from './Card';
import { OwnPassword } from './OwnPassword';
import { useAccountAction } from './useAccountQuery';

/** Exports the user's data and deletes the account. */
export const MyData = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const [isBusy, setBusy] = useState(false);
  const run = useAccountAction('export');
  const downloadExport = async () => {
    setBusy(true);
    await run(() => download('account/export', 'sweepline.json'), 'toasts.downloaded');
    setBusy(false);
  };
  return (
    <div className="sl-cards">
      <Card title={translate('account.export')}>
        <div className="sl-form">
          <p>{translate('account.export_text')}</p>
          <button type="button" className="sl-button" disabled={isBusy} onClick={() => void downloadExport()}>
            {translate('account.export_button')}
          </button>
        </div>
      </Card>
      <Card title={translate('account.delete')}>
        <DeleteAccount user={user} />
      </Card>
    </div>
  );
};

const DeleteAccount = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const title = translate('account.delete');
  const { fieldAt, submit, isBusy } = useServerForm({
    defaults: { current_password: '' },
    send: async (body) => {
      if (
        !(await confirm({
          title: translate('account.delete_sure'),
          description: translate('account.delete_final'),
          button: title,
        }))
      )
        return;
      await call('POST /account/delete', { body });
      // Ending the session redirects to /login.
      session.end();
    },
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('account.delete_text')}</p>
      <OwnPassword user={user} field={fieldAt('current_password')} />
      <button type="submit" className="sl-button sl-button-danger" disabled={isBusy}>
        {title}
      </button>
    </form>
  );
};
