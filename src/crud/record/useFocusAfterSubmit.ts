import { useLayoutEffect, useRef } from 'react';

/**
 * Restores the focus after a submission, since an input loses it while disabled. Returns a function that stores the
 * focused element; call it before the submission. A layout effect, so that a dialog that the response opens returns the
 * focus to the same element.
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
