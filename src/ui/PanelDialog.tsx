import Dialog from '@mui/material/Dialog';
import Slide from '@mui/material/Slide';
import type { ReactNode } from 'react';

export interface PanelDialogProps {
  open: boolean;
  onClose: () => void;
  /** Accessible name of the panel. */
  label: string;
  children: ReactNode;
}

/** The implementation of `Panel`, with Material UI. */
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
