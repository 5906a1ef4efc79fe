import { type ReactNode, useEffect, useId, useRef } from 'react';
import { standOnTop, topDialog } from './topDialog';

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
    const own = dialog.current;
    if (!own) return;
    const returnTo = document.activeElement;
    const leave = standOnTop(own);
    own.showModal();
    // What can be pressed first may stand far below the title.
    own.scrollTop = 0;
    return () => {
      leave();
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
      if (document.activeElement === document.body) nearest()?.focus({ preventScroll: true });
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

/** Where somebody goes on whose way back is gone or cannot be used now: in the dialog below, else on the page. */
const nearest = (): HTMLElement | null | undefined =>
  topDialog()?.querySelector<HTMLElement>(':is(button, input, select, textarea):enabled') ??
  document.getElementById('content');
