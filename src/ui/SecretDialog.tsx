import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Modal } from './Modal';

interface SecretDialogProps {
  title: string;
  /** What to do with it. */
  text: string;
  /** One, or several that are kept together. */
  secret: string | readonly string[];
  /** What the button says that closes it. */
  done?: string;
  onClose: () => void;
}

/** A new secret, shown this once, to be copied to where it belongs. */
export function SecretDialog({ title, text, secret, done, onClose }: SecretDialogProps) {
  const translate = useTranslate();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof secret === 'string' ? secret : secret.join('\n'));
    setCopied(true);
  };
  return (
    <Modal title={title} onClose={onClose}>
      <p>{text}</p>
      {typeof secret === 'string' ? (
        <output className="sl-secret">{secret}</output>
      ) : (
        <ul className="sl-secret sl-codes">
          {secret.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={() => void copy()}>
          {translate(isCopied ? 'list.copied' : 'list.copy')}
        </button>
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {done ?? translate('dialogs.close')}
        </button>
      </div>
      <span className="sl-hidden" role="status">
        {isCopied && translate('list.copied')}
      </span>
    </Modal>
  );
}
