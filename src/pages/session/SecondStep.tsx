import { useEffect } from 'react';
import { useTranslate } from 'react-admin';
import { FormField } from '../../ui/FormField';
import { useRules } from './rules';
import { useServerForm } from './useServerForm';

interface SecondStepProps {
  send: (code: string) => Promise<unknown>;
  onBack: () => void;
}

/** Second login step: a code of the authenticator app, or a recovery code. */
export const SecondStep = ({ send, onBack }: SecondStepProps) => {
  const translate = useTranslate();
  const label = translate('login.code');
  const { register, submit, problemAt, setFocus, busy } = useServerForm({
    defaults: { code: '' },
    resolver: useRules<{ code: string }>({ fields: {} }, { labels: { code: label } }),
    send: ({ code }) => send(code),
    done: 'toasts.logged_in',
  });
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('login.second_text')}</p>
      <FormField
        label={label}
        autoComplete="one-time-code"
        maxLength={20}
        help={translate('login.or_recovery')}
        problem={problemAt('code')}
        required
        {...register('code')}
      />
      <button type="submit" className="sl-button sl-button-primary" disabled={busy}>
        {translate('login.submit')}
      </button>
      <button type="button" className="sl-button" onClick={onBack}>
        {translate('login.back_to_login')}
      </button>
    </form>
  );
};
