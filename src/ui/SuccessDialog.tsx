import DOMPurify from 'dompurify';
import { useTranslate } from 'react-admin';
import { Icon } from './Icon';
import { Modal } from './Modal';

interface SuccessDialogProps {
  open: boolean;
  /** May contain HTML; scripts and external content are removed. */
  message: string;
  onClose: () => void;
}

/** Success message with an "Okay" button. */
export const SuccessDialog = ({ open, message, onClose }: SuccessDialogProps) => {
  const translate = useTranslate();
  if (!open) return null;
  const safe = DOMPurify.sanitize(message, {
    ALLOWED_TAGS: ['b', 'strong', 'i', 'em', 'br', 'p', 'ul', 'ol', 'li', 'a', 'code'],
    ALLOWED_ATTR: ['href'],
  });
  return (
    <Modal
      title={translate('dialogs.success')}
      icon={<Icon name="success" size={32} className="sl-modal-success" />}
      onClose={onClose}
    >
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: `safe` is sanitised above */}
      <div dangerouslySetInnerHTML={{ __html: safe }} />
      <div className="sl-modal-actions">
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {translate('dialogs.okay')}
        </button>
      </div>
    </Modal>
  );
};
