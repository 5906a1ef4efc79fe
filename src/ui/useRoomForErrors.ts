import { useEffect } from 'react';

const property = '--sl-toasts-height';

/** On a phone errors stand between header and page, which makes room for them: tells how high they are together. */
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
