/** The parameters of "Explain access", stored in the URL. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { codesOf, entities } from '../../../schema/index';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { call } from '../../providers/call';

export interface AccessRequest {
  user?: number;
  resource: string;
  action: string;
  id?: number;
}

const parseId = (text: string | null) => (text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

/** Actions of an entity, including special ones. */
export const actionsOf = (resource: string): string[] => {
  const entity = entities.find(({ name }) => name === resource);
  return entity ? codesOf(entity).map((code) => code.slice(code.indexOf('.') + 1)) : [];
};

/** The parameters in the URL, and a setter for some of them. */
export function useAccessRequest(): [AccessRequest, (change: Partial<AccessRequest>) => void] {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const resource = search.get('resource') ?? 'machines';
  const action = search.get('action') ?? 'show';
  const request = {
    user: parseId(search.get('user')),
    resource,
    action: actionsOf(resource).includes(action) ? action : 'show',
    id: parseId(search.get('id')),
  };
  const changeRequest = (change: Partial<AccessRequest>) =>
    updateSearch({ ...change, ...(change.resource !== undefined && { id: undefined }) });
  return [request, changeRequest];
}

export const useAccess = ({ user, resource, action, id }: AccessRequest) =>
  useQuery({
    queryKey: ['users', 'access', user, resource, action, id],
    queryFn: ({ signal }) =>
      call('GET /users/{id}/access', {
        params: { id: user ?? 0 },
        query: { resource, action, id: id === undefined ? undefined : String(id) },
        signal,
      }),
    enabled: user !== undefined,
    placeholderData: keepPreviousData,
  });
