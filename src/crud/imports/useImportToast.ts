import { useNotify } from 'ra-core';
import { useEffect, useRef } from 'react';
import type { Import } from './import';

/** Shows a toast when the import on the page is done, undone or failed. */
export function useImportToast(job: Import | undefined): void {
  const notify = useNotify();
  const previous = useRef<Pick<Import, 'id' | 'state'>>(undefined);
  useEffect(() => {
    if (!job) return;
    const { id, state, problem } = job;
    const previousState = previous.current?.id === id ? previous.current.state : state;
    previous.current = { id, state };
    if (previousState === state) return;
    if (state === 'failed') notify(problem ?? 'imports.report_failed', { type: 'error' });
    else if (state === 'done' && previousState === 'undoing') {
      if (problem) notify(problem, { type: 'error' });
    } else if (state === 'done') notify('toasts.imported', { type: 'success' });
    else if (state === 'undone') notify('imports.report_undone', { type: 'success' });
  }, [job, notify]);
}
