import { useEffect, useSyncExternalStore } from 'react';
import { useTheme } from 'react-admin';
import { createStore, useStoreValue } from '../providers/createStore';
import { tabStorage } from '../providers/tabStorage';

/**
 * Light or dark mode: the system's, unless the user chose another one for this tab. The choice ends with the tab, since
 * local storage holds the session only.
 */
export const modes = ['system', 'light', 'dark'] as const;
export type ModeName = (typeof modes)[number];

const key = 'sweepline.mode';

const system =
  typeof window === 'undefined' || !window.matchMedia ? undefined : window.matchMedia('(prefers-color-scheme: dark)');

const chosenMode = createStore<ModeName>(modes.find((mode) => mode === tabStorage.read(key)) ?? 'system');

/** The mode in effect: the user's choice, or the system's. */
export function effectiveMode(): 'light' | 'dark' {
  const mode = chosenMode.get();
  if (mode !== 'system') return mode;
  return system?.matches ? 'dark' : 'light';
}

export function useMode(): { mode: ModeName; setMode(mode: ModeName): void } {
  return { mode: useStoreValue(chosenMode), setMode };
}

/** Applies the effective mode to the page's CSS variables and Material UI's theme. */
export function useApplyMode(): void {
  const effective = useSyncExternalStore(subscribe, effectiveMode);
  const [theme, setTheme] = useTheme();
  useEffect(() => {
    document.documentElement.dataset.theme = effective;
    if (theme !== effective) setTheme(effective);
  }, [effective, theme, setTheme]);
}

function setMode(mode: ModeName) {
  chosenMode.set(mode);
  tabStorage.write(key, mode);
}

function subscribe(listener: () => void) {
  const unsubscribe = chosenMode.subscribe(listener);
  system?.addEventListener('change', listener);
  return () => {
    unsubscribe();
    system?.removeEventListener('change', listener);
  };
}
