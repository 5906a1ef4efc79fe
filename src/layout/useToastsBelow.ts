import { type RefObject, useEffect } from 'react';

const property = '--sl-toasts-top';

/** Toasts appear below this element, as it stands on a page that is not scrolled: an error that stays must not lie on its buttons. */
export function useToastsBelow(head: RefObject<HTMLElement | null>): void {
  // Without dependencies: every drawing may change its height.
  useEffect(() => {
    const measure = () => {
      const bottom = (head.current?.getBoundingClientRect().bottom ?? 0) + window.scrollY;
      document.documentElement.style.setProperty(property, `${Math.ceil(bottom)}px`);
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  });
  useEffect(() => () => void document.documentElement.style.removeProperty(property), []);
}
