import { type RefObject, useEffect } from 'react';

/** While `active`, calls `left` when the page outside `box` is clicked or focused. */
export function useClickOutside(box: RefObject<HTMLElement | null>, active: boolean, left: () => void): void {
  useEffect(() => {
    if (!active) return;
    const judge = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) left();
    };
    document.addEventListener('pointerdown', judge);
    document.addEventListener('focusin', judge);
    return () => {
      document.removeEventListener('pointerdown', judge);
      document.removeEventListener('focusin', judge);
    };
  }, [box, active, left]);
}
