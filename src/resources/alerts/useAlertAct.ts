import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { call } from '../../providers/call';

/**
 * Returns how to acknowledge and close alerts. `run` shows an error as a toast and resolves to whether it succeeded.
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
