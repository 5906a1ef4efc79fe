/** Plans of the count that limits included rows: it must find the rows of a relation, not test every row of its target. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseListQuery } from '../../schema/dsl/listQuery';
import { entities } from '../../schema/index';
import { loadCaller } from '../../server/auth/loadCaller';
import { sha256 } from '../../server/auth/secrets';
import type { Caller } from '../../server/context/caller';
import { allowedIncludes } from '../../server/crud/query/includeSql';
import { pageSql } from '../../server/crud/query/selectStatements';
import { pg } from '../../server/db/core/rowShape';
import { printStatement } from '../../server/db/core/statement';
import { startTestWorld, type TestApp } from '../support/startTestApp';

let app: TestApp;
let admin: Caller;
beforeAll(async () => {
  const testWorld = await startTestWorld();
  app = testWorld.app;
  admin = (await loadCaller(app.db, sha256(await app.createSessionToken(testWorld.world.admin)))) as Caller;
});
afterAll(() => app.close());

describe('the count of included rows', () => {
  test.each(entities.map(({ name }) => name))('of %s tests no row of another owner', async (name) => {
    const entity = app.services.model.require(name);
    const toMany = [...entity.relations.values()].filter(({ isToOne }) => !isToOne).map((relation) => relation.name);
    for (const include of toMany.filter((path) => allowedIncludes(entity, admin).includes(path))) {
      const { text, params } = printStatement(
        pageSql({ entity, caller: admin, query: parseListQuery(`include=${include}`) }),
      );
      const plan = await app.db.select({ 'QUERY PLAN': pg.text }, { text: `explain (costs off) ${text}`, params });
      expect([
        include,
        plan.map((line) => line['QUERY PLAN']).filter((line) => /Join Filter.*SubPlan/.test(line)),
      ]).toEqual([include, []]);
    }
  });
});
