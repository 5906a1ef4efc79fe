import { type ReactNode, useEffect, useRef } from 'react';
import { topDialog } from './topDialog';

/**
 * The content of what floats above the page: takes the focus to its first control, unless something inside has taken it
 * already.
 */
export const FocusedBody = ({ className, children }: { className?: string; children: ReactNode }) => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (body.current) focusWithin(body.current);
    // Material UI returns the focus after this has run.
    return () => queueMicrotask(focusNearest);
  }, []);
  return (
    <div ref={body} className={className}>
      {children}
    </div>
  );
};

const focusable = ':is(button, input, select, textarea):enabled, a[href], [tabindex]';

function focusWithin(element: HTMLElement): void {
  for (const candidate of element.querySelectorAll<HTMLElement>(focusable)) {
    if (element.contains(document.activeElement)) return;
    candidate.focus({ preventScroll: true });
  }
}

/** Where the element is gone that had the focus before: to the dialog below, else to the page. */
function focusNearest(): void {
  if (document.activeElement !== document.body) return;
  const dialog = topDialog();
  if (dialog) focusWithin(dialog);
  else document.getElementById('content')?.focus({ preventScroll: true });
}
