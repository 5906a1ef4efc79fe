import { type ReactNode, useEffect, useRef, useState } from 'react';

interface PanelProps {
  open: boolean;
  onClose: () => void;
  /** Names the panel for those who do not see it. */
  label: string;
  children: ReactNode;
}

/** A full-screen panel that slides in within 0.55 s and out within 0.2 s; focus stays inside, Escape closes it. */
export const Panel = ({ open, onClose, label, children }: PanelProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  useEffect(() => {
    if (open && shown && !dialog.current?.open) dialog.current?.showModal();
  }, [open, shown]);
  // A closing animation that never runs, as in a hidden tab, must not leave the panel in the way.
  useEffect(() => {
    if (open || !shown) return;
    const timer = setTimeout(() => setShown(false), slideOut);
    return () => clearTimeout(timer);
  }, [open, shown]);
  if (!shown) return null;
  return (
    <dialog
      ref={dialog}
      className="sl-panel"
      data-leaving={!open}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
};

/** Milliseconds, as in `frame.css`. */
const slideOut = 200;
