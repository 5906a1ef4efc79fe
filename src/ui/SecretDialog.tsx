import { useTranslate } from 'react-admin';
import { CopyButton } from './CopyButton';
import { Modal } from './Modal';

interface SecretDialogProps {
  title: string;
  /** Tells the user what to do with the secret. */
  text: string;
  /** One secret, or several that belong together. */
  secret: string | readonly string[];
  /** Label of the closing button. */
  closeLabel?: string;
  onClose: () => void;
}

/** Shows a new secret once, for copying. */
export function SecretDialog({ title, text, secret, closeLabel, onClose }: SecretDialogProps) {
  const translate = useTranslate();
  return (
    <Modal title={title} onClose={onClose}>
      <p>{text}</p>
      {typeof secret === 'string' ? (
        <output className="sl-secret">{secret}</output>
      ) : (
        <ul className="sl-secret sl-codes">
          {secret.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="sl-modal-actions">
        <CopyButton text={typeof secret === 'string' ? secret : secret.join('\n')} />
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {closeLabel ?? translate('dialogs.close')}
        </button>
      </div>
    </Modal>
  );
}
