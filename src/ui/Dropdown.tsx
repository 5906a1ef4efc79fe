import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useClickOutside } from './useOutside';
import { walkLines } from './walkLines';
import '../crud/list/list.css';

interface DropdownProps {
  /** What the button shows. */
  children: ReactNode;
  /** Names the button where its content does not. */
  label?: string;
  className?: string;
  /** Names the panel. */
  title: string;
  /** What opens below; `close` gives the focus back to the button. */
  panel: (close: () => void) => ReactNode;
  /** The edge of the button that the panel keeps to. */
  align?: 'start' | 'end';
  /** Open from the start, as for a filter just added. */
  open?: boolean;
  onClose?: () => void;
  onOpen?: () => void;
}

/** A button that opens a small panel below itself. Escape and a click outside close it, arrows walk its lines. */
export const Dropdown = ({
  children,
  label,
  className = 'sl-button',
  title,
  panel,
  align = 'start',
  open: initially = false,
  onClose,
  onOpen,
}: DropdownProps) => {
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(initially);
  const leave = useCallback(() => {
    setOpen(false);
    onClose?.();
  }, [onClose]);
  const close = () => {
    leave();
    button.current?.focus();
  };
  useClickOutside(box, open, leave);
  useEffect(() => {
    if (open) content.current?.querySelector<HTMLElement>('input, select, button, a')?.focus();
  }, [open]);
  useEffect(
    () => (open && content.current && typeof ResizeObserver !== 'undefined' ? keepInside(content.current) : undefined),
    [open],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are heard wherever the focus is inside
    <div
      ref={box}
      className="sl-dropdown"
      onKeyDown={(event) => (event.key === 'Escape' && open ? close() : walkLines(event))}
    >
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => {
          if (open) return leave();
          setOpen(true);
          onOpen?.();
        }}
      >
        {children}
      </button>
      {open && (
        // A press on a label or between inputs must not give the focus to the page behind, which would close the panel.
        <div
          ref={content}
          className="sl-dropdown-panel"
          data-align={align}
          role="dialog"
          aria-label={title}
          tabIndex={-1}
        >
          {panel(close)}
        </div>
      )}
    </div>
  );
};

/** How near the panel comes to the edge of the page, in pixels. */
const margin = 8;

/** Moves a panel that would lie beyond an edge of the page back into it, also when it grows; gives back how to stop. */
function keepInside(panel: HTMLElement): () => void {
  const growing = new ResizeObserver(() => {
    panel.style.translate = '';
    const { left, right } = panel.getBoundingClientRect();
    const beyond = Math.max(0, right + margin - document.documentElement.clientWidth);
    const shift = left < margin ? margin - left : -Math.min(beyond, left - margin);
    panel.style.translate = shift === 0 ? '' : `${shift}px 0`;
  });
  growing.observe(panel);
  return () => growing.disconnect();
}

/** One line of a menu inside a `Dropdown`. */
export const MenuItem = ({
  children,
  onClick,
  pressed,
}: {
  children: ReactNode;
  onClick: () => void;
  pressed?: boolean;
}) => (
  <button type="button" className="sl-menu-item" aria-pressed={pressed} onClick={onClick}>
    {children}
  </button>
);
