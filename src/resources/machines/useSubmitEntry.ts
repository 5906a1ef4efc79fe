import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { type NewEntry, submitEntry } from '../../providers/outbox';
import { useToast } from '../../ui/useToast';

/**
 * Returns a function that sends an entry, or stores it on the device until the server is reachable, and shows a toast.
 * `sent`: text of the toast for a sent entry. `reload`: entities whose queries become stale.
 */
export function useSubmitEntry(): (
  entry: NewEntry,
  options: { sent: string; reload: readonly string[] },
) => Promise<void> {
  const client = useQueryClient();
  const toast = useToast();
  const translate = useTranslate();
  return useCallback(
    async (entry, { sent, reload }) => {
      const { isSent, fileProblem } = await submitEntry(entry);
      if (fileProblem)
        toast('warning', translate('service.file_failed', { reason: translate(fileProblem, { _: fileProblem }) }));
      else toast(isSent ? 'success' : 'info', isSent ? sent : 'outbox.waiting');
      if (isSent) await Promise.all(reload.map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
    [client, toast, translate],
  );
}
