import { useTranslate } from 'ra-core';

interface SaveBarProps {
  visible: boolean;
  dirty: boolean;
  busy: boolean;
  isNew: boolean;
  onDiscard: () => void;
  onCancel: () => void;
}

/** Sticks to the bottom once the form is dirty. Its space is always reserved, to avoid layout shifts. */
export const SaveBar = ({ visible, dirty, busy, isNew, onDiscard, onCancel }: SaveBarProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-save-space">
      {visible && (
        <div className="sl-save-bar">
          <span role="status">{dirty ? translate('form.unsaved') : ''}</span>
          <button type="button" className="sl-button" disabled={busy} onClick={isNew || !dirty ? onCancel : onDiscard}>
            {translate(isNew || !dirty ? 'form.cancel' : 'form.discard')}
          </button>
          <button type="submit" className="sl-button sl-button-primary" disabled={busy}>
            {translate(busy ? 'form.saving' : isNew ? 'form.create' : 'form.save')}
          </button>
        </div>
      )}
    </div>
  );
};
