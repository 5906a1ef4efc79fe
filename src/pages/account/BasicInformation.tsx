import { useTranslate } from 'react-admin';
import { registry } from '../../../schema/index';
import type { CurrentUser } from '../../providers/auth';
import { FormField } from '../../ui/FormField';
import { useRules } from '../session/rules';
import { useServerForm } from '../session/useServerForm';
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
  const { register, submit, problemAt, busy, formState, reset } = useServerForm<Profile>({
    defaults: { first_name: user.first_name, last_name: user.last_name, phone: user.phone ?? '' },
    follows: true,
    resolver: useRules<Profile>(registry.users),
    send: async (values) => {
      await saveProfile(user, values);
      reset(values);
    },
    done: 'toasts.profile_updated',
  });
  const label = (name: keyof Profile) => translate(`resources.users.fields.${name}`);
  return (
    <>
      <Photo user={user} />
      <form className="sl-form" onSubmit={submit} noValidate>
        <FormField
          label={label('first_name')}
          autoComplete="given-name"
          problem={problemAt('first_name')}
          required
          {...register('first_name')}
        />
        <FormField
          label={label('last_name')}
          autoComplete="family-name"
          problem={problemAt('last_name')}
          required
          {...register('last_name')}
        />
        <FormField
          label={label('phone')}
          type="tel"
          autoComplete="tel"
          problem={problemAt('phone')}
          {...register('phone')}
        />
        <button type="submit" className="sl-button sl-button-primary" disabled={busy || !formState.isDirty}>
          {translate('account.save')}
        </button>
      </form>
    </>
  );
};
