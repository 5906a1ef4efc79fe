import { useTranslate } from 'react-admin';
import type { CurrentUser } from '../../providers/auth';
import { useServerForm } from '../useServerForm';
import { saveProfile } from './saveProfile';

type Settings = {
  allow_sms: boolean;
  allow_email: boolean;
};

/** Which ways of being notified the user allows. */
export const NotificationSettings = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const { register, submit, busy, formState, reset } = useServerForm<Settings>({
    defaults: { allow_sms: user.allow_sms, allow_email: user.allow_email },
    follows: true,
    send: async (values) => {
      await saveProfile(user, values);
      reset(values);
    },
    done: 'toasts.notifications_updated',
  });
  return (
    <form className="sl-form" onSubmit={submit}>
      <label className="sl-check">
        <input type="checkbox" {...register('allow_email')} />
        {translate('account.allow_email')}
      </label>
      <label className="sl-check">
        <input type="checkbox" {...register('allow_sms')} />
        {translate('account.allow_sms')}
      </label>
      <button type="submit" className="sl-button sl-button-primary" disabled={busy || !formState.isDirty}>
        {translate('account.save')}
      </button>
    </form>
  );
};
