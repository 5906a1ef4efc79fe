import { type RefObject, useEffect } from 'react';

const property = '--sl-toasts-top';

/** Toasts appear below this element while it stands at the top of the page: an error that stays must not lie on its buttons. */
export function useToastsBelow(head: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = head.current;
    if (!element) return undefined;
    const root = document.documentElement.style;
    // Where it ends on a page that is not scrolled.
    const observer = new ResizeObserver(() => {
      const scrolled = element.closest('.sl-content')?.scrollTop || window.scrollY;
      root.setProperty(property, `${Math.ceil(element.getBoundingClientRect().bottom + scrolled)}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty(property);
    };
  }, [head]);
}
