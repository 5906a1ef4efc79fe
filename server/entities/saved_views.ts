/** Saved views: each belongs to who made it; only people with a say over a client or over roles share one, and only its owner changes it. */
import { readListQuery } from '../../schema/dsl/query';
import { type Caller, holds } from '../api/caller';
import { readable } from '../api/entity/fields';
import { pageSql } from '../api/entity/select';
import { Refusal } from '../api/errors';
import { knownEntities } from '../api/model';
import type { EntityServer } from './types';

export const savedViewsServer: EntityServer = {
  async before({ caller, values, current, fail }) {
    if (current) refuseForeign(caller, current);
    else values.user_id = caller.userId;
    if (typeof values.client_id === 'number' && !holds(caller, 'clients.edit')) fail('client_id', { text: 'beyond_own_rights' });
    if (typeof values.role_id === 'number' && !holds(caller, 'roles.edit')) fail('role_id', { text: 'beyond_own_rights' });
    const at = { ...current, ...values };
    const entity = knownEntities().find(({ name }) => name === at.resource);
    if (!entity || !holds(caller, `${entity.name}.list`)) return fail('resource', { key: 'exists' });
    const columns = new Set([...readable(entity, caller), ...Object.keys(entity.fields).filter((name) => entity.fields[name]?.kind === 'many')]);
    if (Array.isArray(values.columns) && values.columns.some((name) => !columns.has(String(name)))) fail('columns', { key: 'exists' });
    if (typeof values.query !== 'string') return;
    try {
      pageSql({ entity, caller, query: readListQuery(values.query) });
    } catch (error) {
      // A view that its own maker could not open would be a trap.
      if (!(error instanceof Refusal)) throw error;
      fail('query', { text: 'malformed' });
    }
  },

  async beforeDelete({ caller, current }) {
    refuseForeign(caller, current);
  },
};

/** Whom nothing limits may change what others have shared. */
function refuseForeign({ userId, scopes }: Caller, { user_id }: Record<string, unknown>): void {
  if (user_id !== userId && !scopes.has('all')) throw Refusal.unauthorized();
}
