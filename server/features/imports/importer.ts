/** Callers with whose rights an import is processed and viewed. */
import { codesOf } from '../../../schema';
import { loadCallerOfUser } from '../../auth/loadCaller';
import { type Caller, hasPermission } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { Job } from './job';

/**
 * Current access of the importer, limited to that of the user who requested this step: an Admin who continues another's
 * import, or an API token. `undefined` if one of them is gone.
 */
export async function importerOf(
  db: Queries,
  { user_id, requester_id, token_id }: Pick<Job, 'user_id' | 'requester_id' | 'token_id'>,
): Promise<Caller | undefined> {
  const requester = await loadCallerOfUser(db, requester_id ?? user_id, token_id);
  if (!requester || requester.userId === user_id) return requester;
  const importer = await loadCallerOfUser(db, user_id);
  if (!importer) return undefined;
  const permissions = new Set([...importer.permissions].filter((code) => hasPermission(requester, code)));
  return {
    ...importer,
    impersonatedBy: requester.userId,
    ...(requester.tokenId && { tokenId: requester.tokenId }),
    permissions,
  };
}

/**
 * The server itself in the importer's name, with all permissions, since it must be able to undo what it began to write
 * even if the importer has lost permissions or been deleted.
 */
export function restorerOf(
  { model }: Pick<Services, 'model'>,
  { user_id, requester_id, token_id }: Pick<Job, 'user_id' | 'requester_id' | 'token_id'>,
): Caller {
  const links = { client: null, clients: [], countries: [], fleets: [], locations: [], machines: [] };
  return {
    userId: user_id,
    sessionId: 0,
    ...(requester_id !== null && requester_id !== user_id && { impersonatedBy: requester_id }),
    ...(token_id !== null && { tokenId: token_id }),
    accessVersion: 0,
    language: 'en',
    permissions: new Set(model.entities.flatMap(codesOf)),
    roles: [],
    scopes: new Set(['all']),
    links,
  };
}

/** The caller for reading imports: everybody who may import sees their own. */
export const viewerOf = (caller: Caller): Caller | undefined =>
  hasPermission(caller, 'imports.show')
    ? caller
    : [...caller.permissions].some((code) => code.endsWith('.import'))
      ? { ...caller, scopes: new Set() }
      : undefined;
