import { type CustomContentProps, closeSnackbar, enqueueSnackbar, SnackbarContent } from 'notistack';
import { forwardRef, type ReactNode } from 'react';
import type { UndoableMutation } from 'react-admin';
import { Icon } from './Icon';
import { holdMutation, settleMutation } from './undoable';

export interface ToastMessage {
  type: 'success' | 'error' | 'warning' | 'info';
  message: ReactNode;
  /** The type as a word in the user's language. */
  label: string;
  /** Milliseconds until the toast closes, `null` for never; default: by type. */
  duration?: number | null;
  /** A call that runs when the toast closes, unless the user undoes it first. */
  undo?: { label: string; settle: UndoableMutation };
}

// Not an interface: notistack requires a type assignable to a record.
type ToastLabels = {
  label: string;
  undoLabel?: string;
};

declare module 'notistack' {
  interface VariantOverrides {
    default: false;
    success: ToastLabels;
    error: ToastLabels;
    warning: ToastLabels;
    info: ToastLabels;
  }
}

/** Milliseconds until a toast closes (specification, section 9). Errors stay until closed. */
export const toastDuration = 1000;

/** Milliseconds in which the user can undo, as in react-admin. */
const undoDuration = 5000;

let undoables = 0;

/** Shows a toast at the top right. A message that is already shown is not repeated, unless it can be undone. */
export function toast({ type, message, label, duration, undo }: ToastMessage): void {
  const ownDuration = undo ? undoDuration : type === 'error' ? null : toastDuration;
  const key = undo ? `undoable ${undoables++}` : typeof message === 'string' ? keyOf(type, message) : undefined;
  if (undo && key) holdMutation(key, undo.settle, () => closeSnackbar(key));
  enqueueSnackbar(message, {
    variant: type,
    label,
    undoLabel: undo?.label,
    key,
    preventDuplicate: true,
    autoHideDuration: duration === undefined ? ownDuration : duration,
    onClose: (_, __, closed) => settleMutation(String(closed), false),
  });
}

/** Closes a toast that no longer applies. */
export const closeToast = (type: ToastMessage['type'], message: string): void => closeSnackbar(keyOf(type, message));

const keyOf = (type: ToastMessage['type'], message: string): string => `${type} ${message}`;

/** A toast: icon, label and message. A click anywhere except on "Undo" closes it. */
export const Toast = forwardRef<HTMLDivElement, CustomContentProps & Partial<ToastLabels>>(
  ({ id, message, variant, label, undoLabel }, ref) => {
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
        {undoLabel && (
          <button type="button" className="sl-toast-undo" onClick={() => settleMutation(String(id), true)}>
            {undoLabel}
          </button>
        )}
      </SnackbarContent>
    );
  },
);
Toast.displayName = 'Toast';
