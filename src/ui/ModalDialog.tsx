import Dialog from '@mui/material/Dialog';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { standOnTop, topDialog } from './topDialog';

export interface ModalProps {
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

/** What `Modal` draws, by Material UI. */
export const ModalDialog = ({ onClose, title, icon, role, className = '', children }: ModalProps) => {
  const titleId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      role={role}
      aria-labelledby={titleId}
      slotProps={{ paper: { ref: standOnTop, className: `sl-modal ${className}` } }}
    >
      <ModalBody>
        {icon}
        <h2 id={titleId}>{title}</h2>
        {children}
      </ModalBody>
    </Dialog>
  );
};

/** Takes the focus to its first control, unless something inside has taken it already. */
const ModalBody = ({ children }: { children: ReactNode }) => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (body.current) focusWithin(body.current);
    // Material UI returns the focus after this has run.
    return () => queueMicrotask(focusNearest);
  }, []);
  return (
    <div ref={body} className="sl-modal-body">
      {children}
    </div>
  );
};

const focusable = ':is(button, input, select, textarea):enabled, a[href], [tabindex]';

function focusWithin(element: HTMLElement): void {
  for (const candidate of element.querySelectorAll<HTMLElement>(focusable)) {
    if (element.contains(document.activeElement)) return;
    candidate.focus({ preventScroll: true });
  }
}

/** Where the element is gone that had the focus before: to the dialog below, else to the page. */
function focusNearest(): void {
  if (document.activeElement !== document.body) return;
  const dialog = topDialog();
  if (dialog) focusWithin(dialog);
  else document.getElementById('content')?.focus({ preventScroll: true });
}
