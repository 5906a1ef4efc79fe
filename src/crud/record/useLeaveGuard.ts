/** Asks for confirmation before unsaved changes are lost: by a link, the back button, or closing the tab. */
import { useTranslate } from 'ra-core';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router-dom';
import { useConfirm } from '../../ui/ConfirmProvider';

/** Active while `dirty`. Returns a function that disables the guard for navigation after a save; `false` enables it. */
export function useLeaveGuard(dirty: boolean): (pass?: boolean) => void {
  const translate = useTranslate();
  const confirm = useConfirm();
  const isReleased = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && !isReleased.current && currentLocation.pathname !== nextLocation.pathname,
  );
  const { state } = blocker;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once per blocked navigation
  useEffect(() => {
    if (state !== 'blocked') return;
    void confirm({
      title: translate('form.unsaved_title'),
      description: translate('form.unsaved_text'),
      button: translate('form.leave'),
    }).then((leave) => (leave ? blocker.proceed() : blocker.reset()));
  }, [state]);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
  return (pass = true) => {
    isReleased.current = pass;
  };
}
