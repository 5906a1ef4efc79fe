/** Plans of filters in prepared statements. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseListQuery } from '../../schema/dsl/listQuery';
import { entities } from '../../schema/index';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { buildTest } from '../../server/crud/query/operators';
import { queryFilterWhere } from '../../server/crud/query/selectStatements';
import { printStatement } from '../../server/db/core/statement';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let admin: Caller;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  admin = (await loadCallerOfUser(app.db, world.admin)) as Caller;
});
afterAll(() => app.close());

/** Number of rows that the generic plan of a filter estimates. */
async function estimateRows(query: string): Promise<number> {
  const where = queryFilterWhere({
    entity: app.services.model.require('machines'),
    caller: admin,
    query: parseListQuery(query),
  });
  const { text, params } = printStatement(sql`select id from machines m where ${where}`);
  const rolledBack = new Error('rolled back');
  let rows = 0;
  const transaction = app.db.transaction(async (tx) => {
    await tx.rows(sql`insert into machines (serial_number, fleet_id, custom_type, stock_state)
      select 'plan-' || n, ${world.north.fleets[0]}, 'Scrubber', case n when 1 then 'in_stock' else 'deployed' end
      from generate_series(1, 2000) n`);
    await tx.rows(sql`analyze machines`);
    await tx.rows(sql`set local plan_cache_mode = force_generic_plan`);
    await tx.rows(sql.raw(`prepare filtered as ${text}`));
    const values = params.map((value) => `'${value}'`).join(', ');
    const [explained] = await tx.rows(sql.raw(`explain (format json) execute filtered${values && ` (${values})`}`));
    rows = (explained?.['QUERY PLAN'] as [{ Plan: { 'Plan Rows': number } }])[0].Plan['Plan Rows'];
    await tx.rows(sql`deallocate filtered`);
    throw rolledBack;
  });
  await expect(transaction).rejects.toBe(rolledBack);
  return rows;
}

test('a choice is estimated by its frequency', async () => {
  expect(await estimateRows('filter[stock_state]=deployed')).toBeGreaterThan(1900);
  expect(await estimateRows('filter[stock_state]=in_stock')).toBeLessThan(100);
});

const choiceFields = entities.flatMap(({ name, fields }) =>
  Object.entries(fields).flatMap(([fieldName, field]) =>
    field.choices && (field.kind === 'choice' || field.kind === 'text')
      ? [{ name: `${name}.${fieldName}`, field }]
      : [],
  ),
);

test.each(choiceFields)('$name: a declared choice is a literal, any other value a parameter', ({ field }) => {
  const print = (value: string) => printStatement(buildTest(field, [value])(sql.raw('c')));
  for (const choice of field.choices ?? [])
    expect(print(choice)).toEqual({ text: `c = '${choice.replaceAll("'", "''")}'`, params: [] });
  expect(print("x' or true --")).toEqual({ text: 'c = $1::text', params: ["x' or true --"] });
});
