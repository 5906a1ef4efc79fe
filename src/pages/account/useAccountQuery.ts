/** Queries and mutations of the account's tabs. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { HttpError } from 'react-admin';
import { useToast } from '../../ui/useToast';

/** Reads a part of the own account, such as `sessions`. */
export const useAccountQuery = <T>(part: string, load: () => Promise<{ data: T }>) =>
  useQuery({
    queryKey: ['account', part],
    queryFn: async () => (await load()).data,
    meta: { quiet: true },
  });

/** Changes a part of the account and reloads it; shows a failure as a toast. Resolves to whether it succeeded. */
export function useAccountAction(part: string): (work: () => Promise<unknown>, toast?: string) => Promise<boolean> {
  const client = useQueryClient();
  const showToast = useToast();
  return useCallback(
    async (work, toast) => {
      try {
        await work();
        await client.invalidateQueries({ queryKey: ['account', part] });
        if (toast) showToast('success', toast);
        return true;
      } catch (error) {
        console.error(error);
        showToast('error', error instanceof HttpError ? error.message : 'errors.generic');
        return false;
      }
    },
    [client, showToast, part],
  );
}
