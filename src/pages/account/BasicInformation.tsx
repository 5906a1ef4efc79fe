import { useTranslate } from 'react-admin';
import { registry } from '../../../schema/index';
import type { CurrentUser } from '../../providers/auth';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';
import { PersonName } from '../session/PersonName';
import { useRules } from '../session/rules';
import { Photo } from './Photo';
import { saveProfile } from './saveProfile';

type Profile = {
  first_name: string;
  last_name: string;
  phone: string;
};

/** Photo, name and phone. */
export const BasicInformation = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const { fieldAt, submit, isBusy, formState, reset } = useServerForm<Profile>({
    defaults: { first_name: user.first_name, last_name: user.last_name, phone: user.phone ?? '' },
    follows: true,
    resolver: useRules<Profile>(registry.users),
    send: async (values) => {
      await saveProfile(user, values);
      reset(values);
    },
    toast: 'toasts.profile_updated',
  });
  return (
    <>
      <Photo user={user} />
      <form className="sl-form" onSubmit={submit} noValidate>
        <PersonName fieldAt={fieldAt} />
        <FormField
          label={translate('resources.users.fields.phone')}
          type="tel"
          autoComplete="tel"
          {...fieldAt('phone')}
        />
        <button type="submit" className="sl-button sl-button-primary" disabled={isBusy || !formState.isDirty}>
          {translate('account.save')}
        </button>
      </form>
    </>
  );
};
