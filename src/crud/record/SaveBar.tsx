import { useTranslate } from 'ra-core';

interface SaveBarProps {
  isVisible: boolean;
  isDirty: boolean;
  isBusy: boolean;
  isNew: boolean;
  onDiscard: () => void;
  onCancel: () => void;
}

/** Sticks to the bottom once the form is dirty. Its space is always reserved, to avoid layout shifts. */
export const SaveBar = ({ isVisible, isDirty, isBusy, isNew, onDiscard, onCancel }: SaveBarProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-save-space">
      {isVisible && (
        <div className="sl-save-bar">
          <span role="status">{isDirty ? translate('form.unsaved') : ''}</span>
          <button
            type="button"
            className="sl-button"
            disabled={isBusy}
            onClick={isNew || !isDirty ? onCancel : onDiscard}
          >
            {translate(isNew || !isDirty ? 'form.cancel' : 'form.discard')}
          </button>
          <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
            {translate(isBusy ? 'form.saving' : isNew ? 'form.create' : 'form.save')}
          </button>
        </div>
      )}
    </div>
  );
};
