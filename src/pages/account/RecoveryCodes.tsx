import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Modal } from '../../layout/Modal';

/** Recovery codes, shown this once, to be kept where the phone is not. */
export const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const translate = useTranslate();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    setCopied(true);
  };
  return (
    <Modal title={translate('account.codes_title')} onClose={onClose}>
      <p>{translate('account.codes_text')}</p>
      <ul className="sl-secret sl-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={() => void copy()}>
          {translate(isCopied ? 'list.copied' : 'list.copy')}
        </button>
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {translate('account.codes_kept')}
        </button>
      </div>
      <span className="sl-hidden" role="status">
        {isCopied && translate('list.copied')}
      </span>
    </Modal>
  );
};
