import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useConfirm } from './ConfirmProvider';
import { SecretDialog } from './SecretDialog';

interface NewSecretButtonProps {
  label: string;
  /** The confirmation dialog, which warns that the former secret becomes invalid. */
  question: { title: string; description: string };
  /** The dialog that shows the new secret. */
  dialog: { title: string; text: string };
  create: () => Promise<{ data: { secret: string } }>;
}

/** Replaces a secret after confirmation and shows the new one once. */
export function NewSecretButton({ label, question, dialog, create }: NewSecretButtonProps) {
  const notify = useNotify();
  const confirm = useConfirm();
  const [secret, setSecret] = useState<string>();
  const replace = async () => {
    if (!(await confirm({ ...question, button: label }))) return;
    try {
      setSecret((await create()).data.secret);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  return (
    <>
      <button type="button" className="sl-button" onClick={() => void replace()}>
        {label}
      </button>
      {secret && <SecretDialog {...dialog} secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
