/** Global keyboard shortcuts. A page adds its own by `useKey` while it is open. */
import { useLayoutEffect, useRef } from 'react';
import { createStore, useStoreValue } from '../providers/createStore';
import { tabStorage } from '../providers/tabStorage';

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
export const keyHandlerOf = (key: string): Run | undefined => handlersByKey.get(key)?.at(-1);

/** Single letters can be switched off (WCAG 2.1.4): dictation types them by accident. */
const switchKey = 'sweepline.keys';

const areLettersOn = createStore(tabStorage.read(switchKey) !== 'off');

export function setKeysOn(isOn: boolean): void {
  areLettersOn.set(isOn);
  tabStorage.write(switchKey, isOn ? 'on' : 'off');
}

export const keysOn = areLettersOn.get;

export const useKeysOn = (): boolean => useStoreValue(areLettersOn);

/** Whether the focused element takes letters itself, or a dialog or menu is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('.MuiModal-root')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isToggle(target)))
  );
}

const isToggle = (element: HTMLElement) =>
  element instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(element.type);
