import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { type ToastMessage, toast } from './toast';

/**
 * Shows a toast, its message a translation key or literal text. Unlike `useNotify` it is heard even while the language
 * changes.
 */
export function useToast(): (type: ToastMessage['type'], message: string) => void {
  const translate = useTranslate();
  return useCallback(
    (type, message) => toast({ type, message: translate(message, { _: message }), label: translate(`toasts.${type}`) }),
    [translate],
  );
}
