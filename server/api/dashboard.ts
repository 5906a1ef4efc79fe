/** `GET /dashboard`: the caller's figures, each counted as the list behind its link counts (schema/dashboard.ts). */
import { sql } from 'drizzle-orm';
import { counters, type DashboardFigures, type Proof, proofOf, serviceProof, services, stateOrder, stateProof } from '../../schema/dashboard';
import { readListQuery } from '../../schema/dsl/query';
import { registry } from '../../schema/index';
import type { Queries } from '../db/database';
import type { Routes } from '../services';
import { type Caller, holds } from './caller';
import { matching } from './entity/select';
import { base } from './http';
import { Sketch, table } from './model';

export const dashboardRoutes: Routes = async (app) => {
  const { db, now } = app.services;

  app.get(`${base}/dashboard`, async ({ caller }) => {
    const today = now().toISOString().slice(0, 10);
    const counted = await Promise.all(counters.map(async (counter) => [counter, await count(db, caller, proofOf(counter, today))]));
    const states = await Promise.all(stateOrder.map(async (state) => [state, await count(db, caller, stateProof(state))]));
    const due = await Promise.all(services.map(async (figure) => [figure, await count(db, caller, serviceProof(figure, today))]));
    return { data: { ...Object.fromEntries(due), ...Object.fromEntries(counted), states: Object.fromEntries(states) } as DashboardFigures };
  });
};

/** How many rows the list shows; none of what the caller may not list. */
async function count(db: Queries, caller: Caller, { resource, filter }: Proof): Promise<number> {
  if (!holds(caller, `${resource}.list`)) return 0;
  const entity = registry[resource];
  const query = { ...readListQuery(''), filter: Object.entries(filter).map(([path, value]) => ({ path, values: String(value).split(',') })) };
  const found = await db.one<{ n: number }>(sql`select count(*)::int as n from ${table(entity)} m where ${matching({ entity, caller, query }, new Sketch())}`);
  return found?.n ?? 0;
}
