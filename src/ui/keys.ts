/** Global keyboard shortcuts. A page adds its own by `useKey` while it is open. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';

type Run = () => void;

const handlersByKey = new Map<string, Run[]>();

/**
 * Calls `run` when `key` is pressed outside of fields and dialogs while the component is mounted. The last one mounted
 * wins.
 */
export function useKey(key: string, run: Run | undefined): void {
  const latest = useRef(run);
  latest.current = run;
  const active = run !== undefined;
  // Before the first paint, since users may press the key as soon as they see the page.
  useLayoutEffect(() => {
    if (!active) return;
    const handler = () => latest.current?.();
    handlersByKey.set(key, [...(handlersByKey.get(key) ?? []), handler]);
    return () =>
      void handlersByKey.set(
        key,
        (handlersByKey.get(key) ?? []).filter((other) => other !== handler),
      );
  }, [key, active]);
}

/** The open page's handler of a key. */
export const runOf = (key: string): Run | undefined => handlersByKey.get(key)?.at(-1);

/** Single letters can be switched off (WCAG 2.1.4): dictation types them by accident. */
const switchKey = 'sweepline.keys';
const listeners = new Set<() => void>();
let on = readSwitch();

export function switchKeys(to: boolean): void {
  on = to;
  try {
    sessionStorage.setItem(switchKey, to ? 'on' : 'off');
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const notify of listeners) notify();
}

export const keysOn = (): boolean => on;
export const useKeysOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, keysOn);

function readSwitch(): boolean {
  try {
    return sessionStorage.getItem(switchKey) !== 'off';
  } catch {
    return true;
  }
}

/** Whether the focused element takes letters itself, or a dialog or menu is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('.MuiModal-root')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isTick(target)))
  );
}

const isTick = (element: HTMLElement) =>
  element instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(element.type);
