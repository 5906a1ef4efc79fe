/**
 * Whether the page is laid out for a phone: narrower than 768 px at load, at most 768 px after a resize (specification,
 * section 4).
 */
import { createStore, useStoreValue } from '../providers/createStore';

export const breakpoint = 768;
/** Milliseconds without a further resize before the new size applies. */
export const resizeDebounce = 250;

export interface WindowState {
  windowWidth: number;
  isMobile: boolean;
}

export const windowStateAtLoad = (windowWidth: number): WindowState => ({
  windowWidth,
  isMobile: windowWidth < breakpoint,
});
export const windowStateAfterResize = (windowWidth: number): WindowState => ({
  windowWidth,
  isMobile: windowWidth <= breakpoint,
});

const windowState = createStore(windowStateAtLoad(typeof window === 'undefined' ? breakpoint : window.innerWidth));

if (typeof window !== 'undefined') {
  let timer: number | undefined;
  window.addEventListener('resize', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => windowState.set(windowStateAfterResize(window.innerWidth)), resizeDebounce);
  });
}

export const useIsMobile = (): boolean => useStoreValue(windowState).isMobile;

/** As `useIsMobile`, for code outside of components. */
export const isMobileNow = (): boolean => windowState.get().isMobile;
