import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Popover, { type PopoverProps } from '@mui/material/Popover';
import type { ReactNode } from 'react';
import { FocusedBody } from './FocusedBody';
import { Icon } from './Icon';

interface DropdownPanelProps {
  anchor: HTMLElement;
  /** Names it. */
  title: string;
  /** The edge of the anchor that it keeps to. */
  align: 'start' | 'end';
  onClose: () => void;
}

export interface DropdownEntry {
  text: string;
  /** Beside the text, at the end of the line. */
  hint?: string;
  lang?: string;
  /** Whether it is switched on, or chosen among others. */
  isChecked?: boolean;
  role?: 'menuitem' | 'menuitemcheckbox' | 'menuitemradio';
  /** A line stands above it. */
  isDivided?: boolean;
  /** Runs once the menu has closed; without it the entry is only read. */
  run?: () => void;
}

/** Commands below a button: walked by arrow keys and first letters. */
export const DropdownMenu = ({
  entries,
  title,
  ...placed
}: DropdownPanelProps & { entries: readonly DropdownEntry[] }) => (
  <Menu
    {...placing(placed)}
    slotProps={{
      root: { role: 'region', 'aria-label': title },
      paper: { className: 'sl-dropdown-panel' },
      list: { className: 'sl-menu', 'aria-label': title },
    }}
  >
    {entries.map(({ text, hint, lang, isChecked, role = 'menuitem', isDivided, run }) => (
      <MenuItem
        key={`${role} ${text}`}
        className={`sl-menu-item ${isDivided ? 'sl-menu-further' : ''}`}
        lang={lang}
        role={role}
        aria-checked={role === 'menuitem' ? undefined : isChecked === true}
        selected={role === 'menuitemradio' && isChecked}
        disabled={!run}
        onClick={() => {
          placed.onClose();
          run?.();
        }}
      >
        <span className="sl-menu-text">{text}</span>
        {hint && <span className="sl-menu-hint">{hint}</span>}
        {isChecked && <Icon name="check" size={16} />}
      </MenuItem>
    ))}
  </Menu>
);

/** Anything else below a button. */
export const DropdownPanel = ({ title, children, ...placed }: DropdownPanelProps & { children: ReactNode }) => (
  <Popover
    {...placing(placed)}
    slotProps={{ paper: { className: 'sl-dropdown-panel', role: 'dialog', 'aria-label': title } }}
  >
    <FocusedBody>{children}</FocusedBody>
  </Popover>
);

function placing({ anchor, align, onClose }: Omit<DropdownPanelProps, 'title'>) {
  const horizontal = align === 'end' ? 'right' : 'left';
  return {
    open: true,
    anchorEl: anchor,
    anchorOrigin: { vertical: 'bottom', horizontal },
    transformOrigin: { vertical: 'top', horizontal },
    onClose,
  } satisfies Partial<PopoverProps>;
}
