import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { FactorSecret } from '../../../schema/endpoints/account';
import type { CurrentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { useServerForm } from '../../ui/useServerForm';
import { CodeField } from '../session/CodeField';
import { useRules } from '../session/rules';
import { OwnPassword } from './OwnPassword';

/**
 * Sets up the second factor: asks for the password, then for a code from the authenticator app. `onDone` gets the
 * recovery codes.
 */
export const SetUpSecondFactor = ({
  user,
  onDone,
}: {
  user: CurrentUser;
  onDone: (codes: string[]) => Promise<void>;
}) => {
  const [enrolment, setEnrolment] = useState<FactorSecret>();
  return enrolment ? (
    <CodeStep enrolment={enrolment} onDone={onDone} />
  ) : (
    <PasswordStep user={user} onEnrolment={setEnrolment} />
  );
};

const PasswordStep = ({ user, onEnrolment }: { user: CurrentUser; onEnrolment: (enrolment: FactorSecret) => void }) => {
  const translate = useTranslate();
  const { fieldAt, submit, isBusy } = useServerForm({
    defaults: { current_password: '' },
    send: async (body) => onEnrolment((await call('POST /account/second-factor', { body })).data),
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('account.factor_text')}</p>
      <OwnPassword user={user} field={fieldAt('current_password')} />
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
        {translate('account.factor_begin')}
      </button>
    </form>
  );
};

const CodeStep = ({ enrolment, onDone }: { enrolment: FactorSecret; onDone: (codes: string[]) => Promise<void> }) => {
  const translate = useTranslate();
  const { fieldAt, submit, isBusy } = useServerForm({
    defaults: { code: '' },
    resolver: useRules<{ code: string }>({ fields: {} }, { labels: { code: translate('login.code') } }),
    send: async (body) => {
      const { data } = await call('POST /account/second-factor/confirm', { body });
      await onDone(data.recovery_codes);
    },
    toast: 'toasts.factor_on',
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p>{translate('account.factor_scan')}</p>
      <QRCodeSVG
        className="sl-factor-code"
        value={enrolment.uri}
        size={176}
        marginSize={3}
        title={translate('account.factor_qr')}
      />
      <p>{translate('account.factor_secret')}</p>
      <output className="sl-secret">{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</output>
      <CodeField field={fieldAt('code')} help={translate('account.factor_code_help')} />
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
        {translate('account.factor_confirm')}
      </button>
    </form>
  );
};

interface ConfirmProps {
  user: CurrentUser;
  label: string;
  toast: string;
  send: (body: { current_password: string; code: string }) => Promise<void>;
}

/** Confirms a change to the second factor by password and code. */
export const ConfirmWithCode = ({ user, label, toast, send }: ConfirmProps) => {
  const translate = useTranslate();
  const emptyValues = { current_password: '', code: '' };
  const { fieldAt, submit, isBusy, reset } = useServerForm({
    defaults: emptyValues,
    send: async (body) => {
      await send(body);
      reset(emptyValues);
    },
    toast,
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <OwnPassword user={user} field={fieldAt('current_password')} />
      <CodeField field={fieldAt('code')} help={translate('login.or_recovery')} />
      <button type="submit" className="sl-button" disabled={isBusy}>
        {label}
      </button>
    </form>
  );
};
