import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { DialogActions } from '../../ui/DialogActions';
import { FormField } from '../../ui/FormField';
import { Modal } from '../../ui/Modal';
import { useDialogCall } from '../../ui/useDialogCall';

interface OwnSecretProps {
  integration: { id: number; name: string };
  onClose: () => void;
}

/** Replaces our secret by one that the vendor issued. */
export function OwnSecret({ integration, onClose }: OwnSecretProps) {
  const translate = useTranslate();
  const notify = useNotify();
  const [secret, setSecret] = useState('');
  const { run, isBusy, problem } = useDialogCall();
  const save = () =>
    run(async () => {
      await call('POST /integrations/{id}/secret', { params: { id: integration.id }, body: { secret } });
      notify('integrations.own_secret_saved', { type: 'success' });
      onClose();
    });
  return (
    <Modal title={`${translate('integrations.own_secret')}: ${integration.name}`} onClose={onClose}>
      <p>{translate('integrations.own_secret_text')}</p>
      <FormField
        label={translate('integrations.secret_title')}
        type="password"
        autoComplete="off"
        value={secret}
        problem={problem}
        onChange={({ target }) => setSecret(target.value.trim())}
      />
      <DialogActions
        label={translate('trackers.keys_save')}
        onClose={onClose}
        onAct={() => void save()}
        isDisabled={isBusy || secret === ''}
      />
    </Modal>
  );
}
