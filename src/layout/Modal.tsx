import { type ReactNode, useEffect, useId, useRef } from 'react';

interface ModalProps {
  /** Escape was pressed, or the page outside clicked. */
  onClose: () => void;
  /** Names the dialog. */
  title: string;
  icon?: ReactNode;
  /** `alertdialog` for questions that must be answered. */
  role?: 'dialog' | 'alertdialog';
  /** Beside its own class. */
  className?: string;
  children: ReactNode;
}

/** A dialog above the page: focus stays inside and returns afterwards, Escape and a click outside close it. */
export const Modal = ({ onClose, title, icon, role = 'dialog', className = '', children }: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const returnTo = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes; its key is Escape, which the dialog itself hears
    <dialog
      ref={dialog}
      className={`sl-modal ${className}`.trimEnd()}
      role={role}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="sl-modal-body">
        {icon}
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
