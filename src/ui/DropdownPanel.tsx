import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Popover, { type PopoverProps } from '@mui/material/Popover';
import type { ReactNode } from 'react';
import { FocusedBody } from './FocusedBody';
import { Icon } from './Icon';

interface DropdownPanelProps {
  anchor: HTMLElement;
  /** Accessible name. */
  title: string;
  /** The edge of the anchor that the panel aligns with. */
  align: 'start' | 'end';
  onClose: () => void;
}

export interface DropdownEntry {
  text: string;
  /** Hint at the end of the line. */
  hint?: string;
  lang?: string;
  /** Whether the entry is switched on or is the current choice. */
  isChecked?: boolean;
  role?: 'menuitem' | 'menuitemcheckbox' | 'menuitemradio';
  /** Draws a divider above. */
  isDivided?: boolean;
  /** Called after the menu has closed; absent for plain text. */
  run?: () => void;
}

/** Menu of commands below a button; arrow keys and first letters move between them. */
export const DropdownMenu = ({
  entries,
  title,
  ...placement
}: DropdownPanelProps & { entries: readonly DropdownEntry[] }) => (
  <Menu
    {...placementOf(placement)}
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
          placement.onClose();
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

/** Panel below a button, for content other than commands. */
export const DropdownPanel = ({ title, children, ...placement }: DropdownPanelProps & { children: ReactNode }) => (
  <Popover
    {...placementOf(placement)}
    slotProps={{ paper: { className: 'sl-dropdown-panel', role: 'dialog', 'aria-label': title } }}
  >
    <FocusedBody>{children}</FocusedBody>
  </Popover>
);

function placementOf({ anchor, align, onClose }: Omit<DropdownPanelProps, 'title'>) {
  const horizontal = align === 'end' ? 'right' : 'left';
  return {
    open: true,
    anchorEl: anchor,
    anchorOrigin: { vertical: 'bottom', horizontal },
    transformOrigin: { vertical: 'top', horizontal },
    onClose,
  } satisfies Partial<PopoverProps>;
}
