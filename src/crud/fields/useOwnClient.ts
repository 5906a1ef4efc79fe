import { type RaRecord, useGetList } from 'ra-core';
import { useMemo } from 'react';
import { clients } from '../../../schema/entities/clients';
import { namedRoles } from '../../../schema/shared/roles';
import { can, currentUser } from '../../providers/auth';

/** Initial client of a new row: the only one in the user's scope. None for Admins, who may leave the client empty. */
export function useOwnClient(): { isPending: boolean; values: { client_id?: number } } {
  const isEnabled = can('clients', 'list') && !currentUser()?.roles.includes(namedRoles.admin.name);
  const { data, isPending } = useGetList<RaRecord>(
    clients.name,
    { pagination: { page: 1, perPage: 2 } },
    { enabled: isEnabled },
  );
  const clientId = isEnabled && data?.length === 1 ? Number(data[0]?.id) : undefined;
  const values = useMemo(() => (clientId === undefined ? {} : { client_id: clientId }), [clientId]);
  return { isPending: isEnabled && isPending, values };
}
