import { type ReactNode, Suspense, useState } from 'react';
import type { DropdownEntry } from './DropdownPanel';
import { lazyPage } from './lazyPage';

const DropdownMenu = lazyPage(() => import('./DropdownPanel'), 'DropdownMenu');
const DropdownPanel = lazyPage(() => import('./DropdownPanel'), 'DropdownPanel');

type DropdownProps = {
  /** Content of the button. */
  children: ReactNode;
  /** Accessible name of the button, unless its content is one. */
  label?: string;
  className?: string;
  /** Accessible name of the menu or panel. */
  title: string;
  /** The edge of the button that the panel aligns with. */
  align?: 'start' | 'end';
  onOpen?: () => void;
} & (
  | { /** A menu of commands. */ entries: () => readonly DropdownEntry[]; panel?: undefined }
  | { /** Any other content. */ panel: () => ReactNode; entries?: undefined }
);

/** A button with a menu or a small panel below. Escape and a click outside close it. */
export const Dropdown = ({
  children,
  label,
  className = 'sl-button',
  title,
  align = 'start',
  onOpen,
  entries,
  panel,
}: DropdownProps) => {
  const [anchor, setAnchor] = useState<HTMLButtonElement>();
  const placement = anchor && { anchor, title, align, onClose: () => setAnchor(undefined) };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-expanded={anchor !== undefined}
        aria-haspopup={entries ? 'menu' : 'dialog'}
        onClick={({ currentTarget }) => {
          setAnchor(currentTarget);
          onOpen?.();
        }}
      >
        {children}
      </button>
      <Suspense fallback={null}>
        {placement && entries && <DropdownMenu {...placement} entries={entries()} />}
        {placement && panel && <DropdownPanel {...placement}>{panel()}</DropdownPanel>}
      </Suspense>
    </>
  );
};
