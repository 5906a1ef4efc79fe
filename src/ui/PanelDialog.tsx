import Dialog from '@mui/material/Dialog';
import Slide from '@mui/material/Slide';
import type { ReactNode } from 'react';

export interface PanelDialogProps {
  open: boolean;
  onClose: () => void;
  /** Names the panel for those who do not see it. */
  label: string;
  children: ReactNode;
}

/** What `Panel` draws, by Material UI. */
export const PanelDialog = ({ open, onClose, label, children }: PanelDialogProps) => (
  <Dialog
    fullScreen
    open={open}
    onClose={onClose}
    transitionDuration={{ enter: 550, exit: 200 }}
    slots={{ transition: Slide }}
    slotProps={{
      transition: { direction: 'left', easing: 'ease' } as object,
      paper: { className: 'sl-panel', 'aria-label': label, 'aria-labelledby': undefined },
    }}
  >
    {children}
  </Dialog>
);
