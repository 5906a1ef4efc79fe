import { useEffect } from 'react';

const property = '--sl-toasts-height';

/**
 * Sets a CSS variable to the total height of the toasts. On phones, where error toasts are shown between header and
 * page, the page moves down by it.
 */
export function useRoomForErrors(area: HTMLElement | null): void {
  useEffect(() => {
    if (!area || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty(property, `${area.offsetHeight}px`),
    );
    observer.observe(area);
    return () => observer.disconnect();
  }, [area]);
}
