/** Queries and mutations of the account's tabs. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { HttpError } from 'react-admin';
import { useToast } from '../../ui/useToast';

/** Reads a section of the user's account, such as `sessions`. */
export const useAccountQuery = <T>(section: string, load: () => Promise<{ data: T }>) =>
  useQuery({
    queryKey: ['account', section],
    queryFn: async () => (await load()).data,
    meta: { quiet: true },
  });

/**
 * Returns a function that changes a section of the account and reloads it. Shows failures as toasts; resolves to
 * whether it succeeded.
 */
export function useAccountAction(section: string): (work: () => Promise<unknown>, toast?: string) => Promise<boolean> {
  const client = useQueryClient();
  const showToast = useToast();
  return useCallback(
    async (work, toast) => {
      try {
        await work();
        await client.invalidateQueries({ queryKey: ['account', section] });
        if (toast) showToast('success', toast);
        return true;
      } catch (error) {
        console.error(error);
        showToast('error', error instanceof HttpError ? error.message : 'errors.generic');
        return false;
      }
    },
    [client, showToast, section],
  );
}
