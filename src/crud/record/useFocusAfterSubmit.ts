import { useLayoutEffect, useRef } from 'react';

/**
 * An input that is disabled during a submission loses the focus. Returns a function that remembers the focused element;
 * it gets the focus back after the submission, before a dialog that the answer opens remembers where to return.
 */
export function useFocusAfterSubmit(isSubmitting: boolean): () => void {
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isSubmitting) return;
    if (document.activeElement?.matches('body, main')) (focused.current as HTMLElement | null)?.focus();
    focused.current = null;
  }, [isSubmitting]);
  return () => {
    focused.current = document.activeElement;
  };
}
