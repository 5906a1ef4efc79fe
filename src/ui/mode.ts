/**
 * Light or dark: the system's, unless chosen otherwise for this tab. Local storage holds the session only, so the
 * choice ends with the tab.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { useTheme } from 'react-admin';

export const modes = ['system', 'light', 'dark'] as const;
export type ModeName = (typeof modes)[number];

const key = 'sweepline.mode';
const system =
  typeof window === 'undefined' || !window.matchMedia ? undefined : window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let mode: ModeName = storedMode();

/** The mode in effect: the choice, or the system's. */
export const effectiveMode = (): 'light' | 'dark' => (mode !== 'system' ? mode : system?.matches ? 'dark' : 'light');

export function useMode(): { mode: ModeName; setMode(mode: ModeName): void } {
  return { mode: useSyncExternalStore(subscribe, () => mode), setMode: choose };
}

/** Applies the effective mode to the page's variables and Material UI's theme. */
export function useApplyMode(): void {
  const effective = useSyncExternalStore(subscribe, effectiveMode);
  const [theme, setTheme] = useTheme();
  useEffect(() => {
    document.documentElement.dataset.theme = effective;
    if (theme !== effective) setTheme(effective);
  }, [effective, theme, setTheme]);
}

function choose(next: ModeName) {
  mode = next;
  try {
    sessionStorage.setItem(key, next);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  for (const notify of listeners) notify();
}

function storedMode(): ModeName {
  try {
    return modes.find((mode) => mode === sessionStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  system?.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system?.removeEventListener('change', listener);
  };
}
