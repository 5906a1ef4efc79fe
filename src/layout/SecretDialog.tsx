import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Modal } from './Modal';

interface SecretDialogProps {
  title: string;
  /** What to do with it. */
  text: string;
  secret: string;
  onClose: () => void;
}

/** A new secret, shown this once, to be copied to where it belongs. */
export function SecretDialog({ title, text, secret, onClose }: SecretDialogProps) {
  const translate = useTranslate();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <Modal title={title} onClose={onClose}>
      <p>{text}</p>
      <output className="sl-secret">{secret}</output>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={() => void copy()}>
          {translate(isCopied ? 'list.copied' : 'list.copy')}
        </button>
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {translate('dialogs.close')}
        </button>
      </div>
      <span className="sl-hidden" role="status">
        {isCopied && translate('list.copied')}
      </span>
    </Modal>
  );
}
