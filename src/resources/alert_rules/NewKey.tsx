import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmDialog';
import { SecretDialog } from '../../ui/SecretDialog';

/** Creates a new key for the webhook of a rule; the former one becomes invalid. */
export function NewKey({ rule }: { rule: { id: number } }) {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const [secret, setSecret] = useState<string>();
  const make = async () => {
    const title = translate('alerting.new_key');
    if (!(await confirm({ title, description: translate('alerting.key_confirm'), button: title }))) return;
    try {
      const { data } = await call('POST /alert_rules/{id}/secret', { params: { id: rule.id } });
      setSecret(data.secret);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <>
      <button type="button" className="sl-button" onClick={() => void make()}>
        {translate('alerting.new_key')}
      </button>
      {secret && (
        <SecretDialog
          title={translate('alerting.key_title')}
          text={translate('alerting.key_text')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
