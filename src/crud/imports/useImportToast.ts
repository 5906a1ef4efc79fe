import { useNotify } from 'ra-core';
import { useEffect, useRef } from 'react';
import type { Import } from './import';

/** Shows a toast when an import that the page watches ends: done, taken back or failed. */
export function useImportToast(one: Import | undefined): void {
  const notify = useNotify();
  const previous = useRef<Pick<Import, 'id' | 'state'>>(undefined);
  useEffect(() => {
    if (!one) return;
    const { id, state, problem } = one;
    const was = previous.current?.id === id ? previous.current.state : state;
    previous.current = { id, state };
    if (was === state) return;
    if (state === 'failed') notify(problem ?? 'imports.report_failed', { type: 'error' });
    else if (state === 'done' && was === 'undoing') {
      if (problem) notify(problem, { type: 'error' });
    } else if (state === 'done') notify('toasts.imported', { type: 'success' });
    else if (state === 'undone') notify('imports.report_undone', { type: 'success' });
  }, [one, notify]);
}
