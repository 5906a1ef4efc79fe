import { type ReactNode, useEffect, useRef } from 'react';
import { topDialog } from './topDialog';

/** Content of an overlay. Focuses its first control, unless an element inside already has the focus. */
export const FocusedBody = ({ className, children }: { className?: string; children: ReactNode }) => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (body.current) focusWithin(body.current);
    // Material UI returns the focus only after this cleanup.
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

/** Focuses the next dialog below, else the page, if the previously focused element no longer exists. */
function focusNearest(): void {
  if (document.activeElement !== document.body) return;
  const dialog = topDialog();
  if (dialog) focusWithin(dialog);
  else document.getElementById('content')?.focus({ preventScroll: true });
}
