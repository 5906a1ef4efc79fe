import { type RefObject, useEffect } from 'react';

const property = '--sl-toasts-top';

/** The elements between the head of a list and its rows. */
const tools = '.sl-filters, .sl-facets';

/**
 * Positions toasts below this element and the filters after it, as on an unscrolled page, so that a persistent error
 * covers neither.
 */
export function useToastsBelow(head: RefObject<HTMLElement | null>): void {
  // No dependencies: every render may change the height. Measured in the frame that computes the layout anyway.
  useEffect(() => {
    const { style } = document.documentElement;
    const measure = () => {
      const toolbars = [head.current, ...(head.current?.parentElement?.querySelectorAll(tools) ?? [])];
      const bottom =
        Math.max(...toolbars.map((element) => element?.getBoundingClientRect().bottom ?? 0)) + window.scrollY;
      const value = `${Math.ceil(bottom)}px`;
      // Setting it makes the browser recompute the styles of the whole page.
      if (style.getPropertyValue(property) !== value) style.setProperty(property, value);
    };
    const frame = requestAnimationFrame(measure);
    window.addEventListener('resize', measure);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('resize', measure);
    };
  });
  useEffect(() => () => void document.documentElement.style.removeProperty(property), []);
}
