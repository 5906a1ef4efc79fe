import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { type ToastMessage, toast } from './toast';

/**
 * Returns a function that shows a toast; the message is a text key or literal text. Unlike `useNotify`, it works while
 * the language changes.
 */
export function useToast(): (type: ToastMessage['type'], message: string) => void {
  const translate = useTranslate();
  return useCallback(
    (type, message) => toast({ type, message: translate(message, { _: message }), label: translate(`toasts.${type}`) }),
    [translate],
  );
}
