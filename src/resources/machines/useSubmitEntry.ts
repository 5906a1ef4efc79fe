import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { type NewEntry, submitEntry } from '../../providers/outbox';
import { useToast } from '../../ui/useToast';

/**
 * Returns a function that sends an entry, or keeps it on the device until the server can be reached, and says which.
 * `sent` is the text of the toast, `reload` names what changes by it.
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
