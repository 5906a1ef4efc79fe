import { type CustomContentProps, closeSnackbar, enqueueSnackbar, SnackbarContent } from 'notistack';
import { forwardRef } from 'react';
import { Icon } from './Icon';

export interface ToastMessage {
  type: 'success' | 'error' | 'warning' | 'info';
  message: string;
  /** The word for the type in the reader's language. */
  label: string;
}

declare module 'notistack' {
  interface VariantOverrides {
    default: false;
    success: { label: string };
    error: { label: string };
    warning: { label: string };
    info: { label: string };
  }
}

/** Milliseconds a toast stays (specification, section 9). Errors stay until closed. */
export const toastDuration = 1000;

/** Shows a toast at the top right. The same message is not shown twice at a time. */
export function toast({ type, message, label }: ToastMessage): void {
  enqueueSnackbar(message, {
    variant: type,
    label,
    key: keyOf(type, message),
    preventDuplicate: true,
    autoHideDuration: type === 'error' ? null : toastDuration,
  });
}

/** Takes a toast away that says what holds no longer. */
export const untoast = (type: ToastMessage['type'], message: string): void => closeSnackbar(keyOf(type, message));

const keyOf = (type: ToastMessage['type'], message: string): string => `${type} ${message}`;

/** How a toast looks: mark, label, message; a click anywhere on it closes it. */
export const Toast = forwardRef<HTMLDivElement, CustomContentProps & { label?: string }>(
  ({ id, message, variant, label }, ref) => {
    return (
      <SnackbarContent
        ref={ref}
        className="sl-toast"
        data-type={variant}
        role={variant === 'error' ? 'alert' : 'status'}
      >
        <button type="button" onClick={() => closeSnackbar(id)}>
          <Icon name={variant === 'info' ? 'information' : variant} />
          <span>
            <strong>{label}</strong>
            <span>{message}</span>
          </span>
          <Icon name="close" size={16} />
        </button>
      </SnackbarContent>
    );
  },
);
Toast.displayName = 'Toast';
