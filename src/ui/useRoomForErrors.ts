import { useEffect } from 'react';

const property = '--sl-toasts-height';

/** On phones, error toasts are shown between header and page: sets their total height, by which the page moves down. */
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
