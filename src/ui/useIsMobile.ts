/**
 * Whether the page is laid out for a phone: narrower than 768 px at load, at most 768 px after a resize (specification,
 * section 4).
 */
import { useSyncExternalStore } from 'react';

export const breakpoint = 768;
/** Milliseconds without a resize before the size counts. */
export const resizeDebounce = 250;

export interface WindowState {
  windowWidth: number;
  isMobile: boolean;
}

export const atLoad = (windowWidth: number): WindowState => ({ windowWidth, isMobile: windowWidth < breakpoint });
export const afterResize = (windowWidth: number): WindowState => ({ windowWidth, isMobile: windowWidth <= breakpoint });

let state = atLoad(typeof window === 'undefined' ? breakpoint : window.innerWidth);
const listeners = new Set<() => void>();

if (typeof window !== 'undefined') {
  let timer: number | undefined;
  window.addEventListener('resize', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      state = afterResize(window.innerWidth);
      for (const notify of listeners) notify();
    }, resizeDebounce);
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useIsMobile = (): boolean => useSyncExternalStore(subscribe, () => state.isMobile);
