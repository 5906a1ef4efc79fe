import { type RefObject, useEffect } from 'react';

/** Scrolls the active line of an open list into view, and the list itself inside a dialog. */
export function useInView(box: RefObject<HTMLElement | null>, open: boolean, lineId: string | undefined): void {
  useEffect(() => {
    if (open && lineId) document.getElementById(lineId)?.scrollIntoView({ block: 'nearest' });
  }, [open, lineId]);
  useEffect(() => {
    if (open && box.current?.closest('dialog'))
      box.current.querySelector('.sl-picker-panel')?.scrollIntoView({ block: 'nearest' });
  }, [box, open]);
}
