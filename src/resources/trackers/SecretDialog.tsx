import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Modal } from '../../layout/Modal';

/** The new device secret, shown this once, to be copied into the device. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const translate = useTranslate();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <Modal title={translate('trackers.secret_title')} onClose={onClose}>
      <p>{translate('trackers.secret_text')}</p>
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
