import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * On a new page, scrolls to the top and moves the focus there if it was lost. Back and forward keep the browser's
 * scroll positions.
 */
export function useScrollAndFocusReset(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    if (navigationType !== 'POP') window.scrollTo(0, 0);
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [pathname, navigationType, content]);
}
