import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface DialogActionsProps {
  /** Label of the primary button. */
  label: string;
  /** Action of the primary button; default: submits the surrounding form. */
  onAct?: () => void;
  isDisabled?: boolean;
  /** Label of the other button; default: "Cancel". */
  closeLabel?: string;
  onClose: () => void;
  /** Shown before the buttons. */
  children?: ReactNode;
}

/** Buttons at the end of a dialog: cancel and the primary action. */
export const DialogActions = ({ label, onAct, isDisabled, closeLabel, onClose, children }: DialogActionsProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-modal-actions">
      {children}
      <button type="button" className="sl-button" onClick={onClose}>
        {closeLabel ?? translate('dialogs.cancel')}
      </button>
      <button
        type={onAct ? 'button' : 'submit'}
        className="sl-button sl-button-primary"
        disabled={isDisabled}
        onClick={onAct}
      >
        {label}
      </button>
    </div>
  );
};
