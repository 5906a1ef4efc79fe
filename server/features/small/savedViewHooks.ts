/**
 * Hooks of saved views. The creator owns a view; only the owner and callers with scope `all` may edit it. Sharing a
 * view with a client or a role requires permission to edit clients or roles.
 */
import { sql } from 'drizzle-orm';
import { registry } from '../../../schema';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { table } from '../../access/entityModel';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityHooks } from '../../context/services';
import { readableFields } from '../../crud/query/fields';
import { pageSql } from '../../crud/query/selectStatements';
import { inUseError } from '../../crud/write/inUseError';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

export const savedViewHooks: EntityHooks = {
  async before({ tx, caller, services, values, current, fail }) {
    if (current) requireOwner(caller, current);
    else values.user_id = caller.userId;
    if (typeof values.client_id === 'number' && !hasPermission(caller, 'clients.edit'))
      fail('client_id', { text: 'beyond_own_rights' });
    if (typeof values.role_id === 'number' && !hasPermission(caller, 'roles.edit'))
      fail('role_id', { text: 'beyond_own_rights' });
    const draft = { ...current, ...values };
    if (current && draft.resource !== current.resource) await requireUnused(tx, caller, current);
    const entity = services.model.find(String(draft.resource));
    if (!entity || !hasPermission(caller, `${entity.name}.list`)) return fail('resource', { key: 'exists' });
    const columns = new Set([
      ...readableFields(entity, caller),
      ...Object.keys(entity.fields).filter((name) => entity.fields[name]?.kind === 'many'),
    ]);
    if (Array.isArray(values.columns) && values.columns.some((name) => !columns.has(String(name))))
      fail('columns', { key: 'exists' });
    if (
      Array.isArray(values.widths) &&
      values.widths.some((width) => !columns.has(/^(\w+):[1-9]\d{1,2}$/.exec(String(width))?.[1] ?? ''))
    )
      fail('widths', { text: 'malformed' });
    if (typeof values.query !== 'string') return;
    try {
      pageSql({ entity, caller, query: parseListQuery(values.query) });
    } catch (error) {
      // A view that its creator cannot open would be useless.
      if (!(error instanceof ApiError)) throw error;
      fail('query', { text: 'malformed' });
    }
  },

  async beforeDelete({ caller, current }) {
    requireOwner(caller, current);
  },
};

/**
 * Throws 409 if an alert rule or a report schedule uses the view: it can then neither be deleted nor change its entity.
 */
async function requireUnused(tx: Queries, { language }: Caller, { id }: Record<string, unknown>): Promise<void> {
  for (const entity of [registry.alert_rules, registry.report_schedules]) {
    const count = await tx.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from ${table(entity)} where view_id = ${id as number}::int and deleted_at is null`,
    );
    if (count && count.n > 0)
      throw inUseError(language, registry.saved_views, [{ other: entity, field: 'view_id', count: count.n }]);
  }
}

/** Throws 403 unless the caller owns the view. Callers with scope `all` may also edit what others share. */
function requireOwner({ userId, scopes }: Caller, { user_id }: Record<string, unknown>): void {
  if (user_id !== userId && !scopes.has('all')) throw ApiError.forbidden();
}
