import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchApi } from '../../providers/http';
import type { PlanFloor } from './planPlaces';

/** Milliseconds before an object URL is revoked, enough for an image element to load it. */
const loadingMs = 10_000;

/** Object URL of a floor's plan. Needed because image elements cannot send the session's token. */
export function usePlanImage({ id, plan, updated_at }: PlanFloor): {
  url: string | undefined;
  isError: boolean;
  retry: () => void;
} {
  const { data, isError, refetch } = useQuery({
    queryKey: ['floors', 'plan', id, updated_at],
    queryFn: async ({ signal }) => {
      const response = await fetchApi(`floors/${id}/plan`, { signal, headers: { Accept: 'image/*' } });
      return response.blob();
    },
    enabled: plan !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data || plan === null) return setUrl(undefined);
    const address = URL.createObjectURL(data);
    setUrl(address);
    // An image that is still loading reads the URL.
    return () => void setTimeout(() => URL.revokeObjectURL(address), loadingMs);
  }, [data, plan]);
  return { url, isError: isError && plan !== null, retry: () => void refetch() };
}
