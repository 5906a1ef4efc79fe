import { useQuery } from '@tanstack/react-query';
import { call } from '../../providers/call';

/**
 * Whether any client, location or machine is linked to the user; `true` while unknown. Without a link every list is
 * empty.
 */
export function useIsLinked({ enabled }: { enabled: boolean }): boolean {
  const { data } = useQuery({ queryKey: ['dashboard'], queryFn: () => call('GET /dashboard'), enabled });
  return data?.data.is_linked ?? true;
}
