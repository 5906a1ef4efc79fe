import { SnackbarProvider } from 'notistack';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import {
  type UndoableMutation,
  undoableEventEmitter,
  useNotificationContext,
  useTakeUndoableMutation,
  useTranslate,
} from 'react-admin';
import { createPortal } from 'react-dom';
import { onRecovered } from '../providers/failures';
import { closeToast, Toast, toast } from './toast';
import { useTopDialog } from './topDialog';
import { useRunMutationsOnLeave } from './undoable';
import { useRoomForErrors } from './useRoomForErrors';

/** The area of toasts. Mounted outside `Admin`, so that toasts survive a change of language. */
export const ToastArea = ({ children }: { children: ReactNode }) => {
  const [area, setArea] = useState<HTMLElement | null>(null);
  useEffect(() => (area === null ? undefined : preventAriaHidden(area)), [area]);
  const dialog = useTopDialog();
  useRoomForErrors(area);
  return (
    <>
      <SnackbarProvider
        maxSnack={5}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        disableWindowBlurListener
        domRoot={dialog ?? area ?? undefined}
        classes={{ containerRoot: 'sl-toasts' }}
        Components={{ success: Toast, error: Toast, warning: Toast, info: Toast }}
      >
        {children}
      </SnackbarProvider>
      {createPortal(<div ref={setArea} className="sl-toast-area" />, document.body)}
    </>
  );
};

/**
 * Lets screen readers announce toasts while a menu is open, which hides the rest of the page from them. Returns a
 * function that stops this.
 */
function preventAriaHidden(area: HTMLElement): () => void {
  const observer = new MutationObserver(() => area.removeAttribute('aria-hidden'));
  observer.observe(area, { attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

/** Shows react-admin's notifications as toasts. The toast of an undoable call holds the call until it closes. */
export const Toasts = () => {
  const { takeNotification } = useNotificationContext();
  const takeMutation = useTakeUndoableMutation();
  const translate = useTranslate();
  useRunMutationsOnLeave();
  // A layout effect, because both queues lose items that are added between rendering and taking.
  useLayoutEffect(() => {
    const notification = takeNotification();
    if (!notification) return;
    const { message, type, notificationOptions: { messageArgs, autoHideDuration, undoable } = {} } = notification;
    // Each toast takes its call at once, because toasts close in any order. A call is queued before its notification.
    const settle = undoable ? takeMutation() || settleByEvent : undefined;
    toast({
      type,
      message: typeof message === 'string' ? translate(message, { _: message, ...messageArgs }) : message,
      label: translate(`toasts.${type}`),
      duration: autoHideDuration,
      undo: settle && { label: translate('ra.action.undo'), settle },
    });
  }, [takeNotification, takeMutation, translate]);
  useEffect(() => onRecovered((message) => closeToast('error', translate(message, { _: message }))), [translate]);
  return null;
};

/** Reports the outcome to older undoable calls of react-admin, which listen to an event. */
const settleByEvent: UndoableMutation = ({ isUndo }) => void undoableEventEmitter.emit('end', { isUndo });
