import Dialog from '@mui/material/Dialog';
import { type ReactNode, useId } from 'react';
import { FocusedBody } from './FocusedBody';
import { pushDialog } from './topDialog';

export interface ModalProps {
  /** Called on Escape and on clicks outside. */
  onClose: () => void;
  /** Accessible name of the dialog. */
  title: string;
  icon?: ReactNode;
  /** `alertdialog` for questions that must be answered. */
  role?: 'dialog' | 'alertdialog';
  /** Additional class. */
  className?: string;
  children: ReactNode;
}

/** The implementation of `Modal`, with Material UI. */
export const ModalDialog = ({ onClose, title, icon, role, className = '', children }: ModalProps) => {
  const titleId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      role={role}
      aria-labelledby={titleId}
      slotProps={{ paper: { ref: pushDialog, className: `sl-modal ${className}` } }}
    >
      <FocusedBody className="sl-modal-body">
        {icon}
        <h2 id={titleId}>{title}</h2>
        {children}
      </FocusedBody>
    </Dialog>
  );
};
