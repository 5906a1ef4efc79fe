import { type RefObject, useEffect } from 'react';

const property = '--sl-toasts-top';

/** What stands between the head of a list and its rows. */
const tools = '.sl-filters, .sl-facets';

/**
 * Toasts appear below this element and the filters that follow it, as they stand on a page that is not scrolled: an
 * error that stays must not lie on them.
 */
export function useToastsBelow(head: RefObject<HTMLElement | null>): void {
  // Without dependencies: every drawing may change its height.
  useEffect(() => {
    const measure = () => {
      const above = [head.current, ...(head.current?.parentElement?.querySelectorAll(tools) ?? [])];
      const bottom = Math.max(...above.map((element) => element?.getBoundingClientRect().bottom ?? 0)) + window.scrollY;
      document.documentElement.style.setProperty(property, `${Math.ceil(bottom)}px`);
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  });
  useEffect(() => () => void document.documentElement.style.removeProperty(property), []);
}
