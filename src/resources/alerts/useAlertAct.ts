import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { call } from '../../providers/call';

/**
 * Returns `run`, which acknowledges or closes an alert. It resolves to whether that succeeded; errors are shown as a
 * toast.
 */
export function useAlertAct() {
  const notify = useNotify();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const run = async (id: number, action: 'acknowledge' | 'close'): Promise<boolean> => {
    setBusy(true);
    const isDone = await call(`POST /alerts/{id}/${action}`, { params: { id }, body: {} }).then(
      () => true,
      (error: Error) => {
        notify(error.message, { type: 'error' });
        return false;
      },
    );
    await client.invalidateQueries({ queryKey: ['alerts'] });
    setBusy(false);
    return isDone;
  };
  return { run, isBusy };
}
