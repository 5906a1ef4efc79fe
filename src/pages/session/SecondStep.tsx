import { useEffect } from 'react';
import { useTranslate } from 'react-admin';
import { useServerForm } from '../../ui/useServerForm';
import { CodeField } from './CodeField';
import { useRules } from './rules';

interface SecondStepProps {
  send: (code: string) => Promise<unknown>;
  onBack: () => void;
}

/** Second login step: asks for a code from the authenticator app, or a recovery code. */
export const SecondStep = ({ send, onBack }: SecondStepProps) => {
  const translate = useTranslate();
  const { fieldAt, submit, setFocus, isBusy } = useServerForm({
    defaults: { code: '' },
    resolver: useRules<{ code: string }>({ fields: {} }, { labels: { code: translate('login.code') } }),
    send: ({ code }) => send(code),
    toast: 'toasts.logged_in',
  });
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('login.second_text')}</p>
      <CodeField field={fieldAt('code')} help={translate('login.or_recovery')} />
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
        {translate('login.submit')}
      </button>
      <button type="button" className="sl-button" onClick={onBack}>
        {translate('login.back_to_login')}
      </button>
    </form>
  );
};
