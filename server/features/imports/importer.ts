/** Callers whose access decides how an import is processed and viewed. */
import { codesOf } from '../../../schema';
import { loadCallerOfUser } from '../../auth/loadCaller';
import { type Caller, hasPermission } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { ImportJob } from './job';

/**
 * Returns the importer with current access, limited to that of whoever requested this step: an Admin who continues
 * somebody else's import, or an API token. `undefined` if either no longer exists.
 */
export async function loadImporter(
  db: Queries,
  { user_id, requester_id, token_id }: Pick<ImportJob, 'user_id' | 'requester_id' | 'token_id'>,
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
 * Returns the server itself, acting for the importer with all permissions: it must be able to undo what it began to
 * write even if the importer has lost permissions or was deleted.
 */
export function createRestorer(
  { model }: Pick<Services, 'model'>,
  { user_id, requester_id, token_id }: Pick<ImportJob, 'user_id' | 'requester_id' | 'token_id'>,
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

/**
 * Returns the caller for reading imports; everybody who may import anything sees their own. `undefined` if they may
 * not.
 */
export const importViewer = (caller: Caller): Caller | undefined =>
  hasPermission(caller, 'imports.show')
    ? caller
    : [...caller.permissions].some((code) => code.endsWith('.import'))
      ? { ...caller, scopes: new Set() }
      : undefined;
