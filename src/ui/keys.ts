/** Global keyboard shortcuts. An open page adds its own with `useKey`. */
import { useLayoutEffect, useRef } from 'react';
import { createStore, useStoreValue } from '../providers/createStore';
import { tabStorage } from '../providers/tabStorage';

type Run = () => void;

const handlersByKey = new Map<string, Run[]>();

/**
 * Calls `run` when `key` is pressed outside of fields and dialogs. Of several mounted components with the same key, the
 * last one mounted wins.
 */
export function useKey(key: string, run: Run | undefined): void {
  const latestRun = useRef(run);
  latestRun.current = run;
  const active = run !== undefined;
  // Registers before the first paint, since users may press the key as soon as they see the page.
  useLayoutEffect(() => {
    if (!active) return;
    const handler = () => latestRun.current?.();
    handlersByKey.set(key, [...(handlersByKey.get(key) ?? []), handler]);
    return () =>
      void handlersByKey.set(
        key,
        (handlersByKey.get(key) ?? []).filter((other) => other !== handler),
      );
  }, [key, active]);
}

/** The handler of a key on the open page. */
export const keyHandlerOf = (key: string): Run | undefined => handlersByKey.get(key)?.at(-1);

/** Storage key of the switch for single-letter shortcuts (WCAG 2.1.4): dictation triggers them by accident. */
const switchKey = 'sweepline.keys';

const areLettersOn = createStore(tabStorage.read(switchKey) !== 'off');

export function setShortcutsOn(isOn: boolean): void {
  areLettersOn.set(isOn);
  tabStorage.write(switchKey, isOn ? 'on' : 'off');
}

export const areShortcutsOn = areLettersOn.get;

export const useShortcutsOn = (): boolean => useStoreValue(areLettersOn);

/** Whether the focused element accepts typed letters, or a dialog or menu is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('.MuiModal-root')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isToggle(target)))
  );
}

const isToggle = (element: HTMLElement) =>
  element instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(element.type);
