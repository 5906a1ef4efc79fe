import { useTranslate } from 'ra-core';
import { formatNumber } from '../../i18n/format';
import { Modal } from '../../ui/Modal';
import { useLanguage } from '../shared/useLanguage';
import './bulk.css';

interface BulkProgressProps {
  count: number;
  /** 0 while unknown. */
  total: number;
  stop: () => void;
  title?: string;
}

/** Progress of bulk work. Closing the dialog cancels the work and leaves nothing changed. */
export const BulkProgress = ({ count, total, stop, title }: BulkProgressProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const text =
    total > 0
      ? translate('many.progress', {
          done: formatNumber(count, { language }),
          total: formatNumber(total, { language }),
        })
      : undefined;
  return (
    <Modal title={title ?? translate('many.working')} onClose={stop}>
      <progress
        className="sl-progress"
        max={total || undefined}
        value={total > 0 ? count : undefined}
        aria-label={title ?? translate('many.working')}
      />
      <p role="status">{text}</p>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={stop}>
          {translate('form.cancel')}
        </button>
      </div>
    </Modal>
  );
};
