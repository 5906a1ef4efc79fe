import { useTranslate } from 'react-admin';
import { registry } from '../../../schema/index';
import { refreshUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';
import { useRules } from '../session/rules';
import { AccountItemList } from './AccountItemList';
import { useAccountAction, useAccountQuery } from './useAccountQuery';

const section = 'emails';

/** The user's e-mail addresses. One verified address is the primary one. */
export const Emails = () => {
  const translate = useTranslate();
  const query = useAccountQuery(section, () => call('GET /account/emails'));
  const run = useAccountAction(section);
  const makePrimary = async (id: number) => {
    await call('POST /account/emails/{id}/primary', { params: { id } });
    await refreshUser();
  };
  return (
    <>
      <AccountItemList
        query={query}
        row={({ id, email, verified, primary }) => ({
          title: email,
          mark: primary ? translate('account.primary') : undefined,
          details: <span>{translate(verified ? 'account.verified' : 'account.unverified')}</span>,
          action: (
            <span className="sl-buttons">
              {!verified && (
                <button
                  type="button"
                  className="sl-button"
                  onClick={() =>
                    void run(
                      () => call('POST /account/emails/{id}/verification', { params: { id } }),
                      'toasts.verification_sent',
                    )
                  }
                >
                  {translate('account.verify')}
                </button>
              )}
              {verified && !primary && (
                <button
                  type="button"
                  className="sl-button"
                  onClick={() => void run(() => makePrimary(id), 'toasts.primary_changed')}
                >
                  {translate('account.make_primary')}
                </button>
              )}
              {!primary && (
                <button
                  type="button"
                  className="sl-button"
                  aria-label={`${translate('account.remove')}: ${email}`}
                  onClick={() =>
                    void run(() => call('DELETE /account/emails/{id}', { params: { id } }), 'toasts.address_removed')
                  }
                >
                  {translate('account.remove')}
                </button>
              )}
            </span>
          ),
        })}
      />
      <AddAddress onAdded={() => void query.refetch()} />
    </>
  );
};

const AddAddress = ({ onAdded }: { onAdded: () => void }) => {
  const translate = useTranslate();
  const label = translate('account.new_address');
  const { fieldAt, submit, isBusy, reset } = useServerForm({
    defaults: { email: '' },
    resolver: useRules<{ email: string }>(registry.users, { labels: { email: label } }),
    send: async (body) => {
      await call('POST /account/emails', { body });
      reset({ email: '' });
      onAdded();
    },
    toast: 'toasts.verification_sent',
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <FormField label={label} type="email" autoComplete="off" required {...fieldAt('email')} />
      <button type="submit" className="sl-button" disabled={isBusy}>
        {translate('account.add_address')}
      </button>
    </form>
  );
};
