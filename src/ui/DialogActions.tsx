import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface DialogActionsProps {
  /** Text of the button that acts. */
  label: string;
  /** Without it the button submits the form around it. */
  onAct?: () => void;
  isDisabled?: boolean;
  /** Text of the button that closes; default: "Cancel". */
  closeLabel?: string;
  onClose: () => void;
  /** Stands before the buttons. */
  children?: ReactNode;
}

/** The last line of a dialog: closes it, or does what it asks for. */
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
