import { type RaRecord, useGetList } from 'ra-core';
import { useMemo } from 'react';
import { clients } from '../../../schema/entities/clients';
import { namedRoles } from '../../../schema/shared/roles';
import { can, currentUser } from '../../providers/auth';

/**
 * Preselects the client of a new user if only one is in scope. Only administrators may create users without a
 * company.
 */
export function useOwnClient(): { isPending: boolean; values: { client_id?: number } } {
  const enabled = can('clients', 'list') && !currentUser()?.roles.includes(namedRoles.admin.name);
  const { data, isPending } = useGetList<RaRecord>(clients.name, { pagination: { page: 1, perPage: 2 } }, { enabled });
  const only = enabled && data?.length === 1 ? Number(data[0]?.id) : undefined;
  const values = useMemo(() => (only === undefined ? {} : { client_id: only }), [only]);
  return { isPending: enabled && isPending, values };
}
