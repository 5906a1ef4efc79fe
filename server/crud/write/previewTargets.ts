/** `POST /{r}/tally`: counts the targets of a bulk request by a reference field. */
import { sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { column, QueryContext, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { readableFields } from '../query/fields';
import { mayFollowRelation } from '../query/filterNames';
import { requireTargetIds } from './requireTargetIds';

/** Maximum number of groups; the largest are returned. */
const maxGroups = 50;

export interface TargetPreview {
  count: number;
  /** `label`: title of the referenced row; null without one, and if the caller may not see it. */
  data: { value: number | null; label: string | null; count: number }[];
}

/**
 * Counts the targets by their references `by`, most frequent first.
 * @throws 400 unless `by` names a reference of the row itself that the caller may read
 */
export async function previewTargets(
  tx: Queries,
  { entity, caller, body }: { entity: ModelEntity; caller: Caller; body: Record<string, unknown> },
): Promise<TargetPreview> {
  requirePermission(caller, `${entity.name}.list`);
  const { by, ...target } = body;
  const groupableNames = readableFields(entity, caller).filter(
    (name) => entity.fields[name]?.kind === 'ref' && !entity.fields[name]?.store && !entity.fields[name]?.through,
  );
  if (typeof by !== 'string' || !groupableNames.includes(by))
    throw ApiError.notAllowed('field', [String(by)], groupableNames);
  const ids = await requireTargetIds(tx, { entity, caller }, target);
  const field = entity.fields[by] as Field;
  const referencedEntity = entity.model.require(field.to as string);
  const [m, t] = [sql.raw('m'), sql.raw('t')];
  const titleWhere = mayFollowRelation({ field, target: referencedEntity }, caller)
    ? scopeWhere(referencedEntity, caller, t, new QueryContext())
    : sql`false`;
  const data = await tx.select(
    { value: pg.integer.nullable, label: pg.text.nullable, count: pg.integer },
    sql`
    select g.value, (select ${titleSql(referencedEntity, { row: t, language: caller.language })}
    from ${table(referencedEntity)} t
    where t.id = g.value and ${titleWhere}) as label, g.count
    from (select ${column(m, by)} as value, count(*)::int as count from ${table(entity)} m
    where m.id = any(${sql.param(ids)}::int[]) group by 1) g
    order by g.count desc, g.value limit ${sql.raw(String(maxGroups))}`,
  );
  return { count: ids.length, data };
}
