import { SnackbarProvider } from 'notistack';
import { type ReactNode, useEffect, useState } from 'react';
import { useNotificationContext, useTranslate } from 'react-admin';
import { onRecovered } from '../providers/failures';
import { Toast, toast, untoast } from './toast';
import { useTopDialog } from './topDialog';
import { useRoomForErrors } from './useRoomForErrors';

/** Where toasts appear. Stands outside `Admin`, so that they outlive a change of language. */
export const ToastArea = ({ children }: { children: ReactNode }) => {
  const [area, setArea] = useState<HTMLElement | null>(null);
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
      <div ref={setArea} className="sl-toast-area" />
    </>
  );
};

/** Hands react-admin's notifications to the toasts. */
export const Toasts = () => {
  const { takeNotification } = useNotificationContext();
  const translate = useTranslate();
  useEffect(() => {
    const notification = takeNotification();
    if (!notification || typeof notification.message !== 'string') return;
    const { message, type, notificationOptions } = notification;
    toast({
      type,
      message: translate(message, { _: message, ...notificationOptions?.messageArgs }),
      label: translate(`toasts.${type}`),
    });
  }, [takeNotification, translate]);
  useEffect(() => onRecovered((message) => untoast('error', translate(message, { _: message }))), [translate]);
  return null;
};
