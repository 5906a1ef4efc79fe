import { type RefObject, useEffect } from 'react';

/**
 * Keeps the active line of an open list in view, and inside a dialog, whose edge it may lie beyond, the list itself.
 */
export function useInView(box: RefObject<HTMLElement | null>, open: boolean, lineId: string | undefined): void {
  useEffect(() => {
    if (open && lineId) document.getElementById(lineId)?.scrollIntoView({ block: 'nearest' });
  }, [open, lineId]);
  useEffect(() => {
    if (open && box.current?.closest('dialog'))
      box.current.querySelector('.sl-picker-panel')?.scrollIntoView({ block: 'nearest' });
  }, [box, open]);
}
