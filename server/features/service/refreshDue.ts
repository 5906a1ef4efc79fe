/** Computes the next service of machines from their plans, and stores the date for lists. */
import { type SQL, sql } from 'drizzle-orm';
import { planResettingKinds } from '../../../schema/entities/service_entries';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { earliestOf, type Forecast, factsShape, forecastOf, intervalShape } from './forecast';

const planFactsShape = {
  machineId: pg.integer,
  planId: pg.integer,
  name: pg.text,
  /** Whether the plan belongs to this machine, not to its type. */
  own: pg.boolean,
  ...intervalShape,
  ...factsShape,
};
/** A plan that applies to a machine, with its figures and its forecast. */
export type PlanForecast = RowOf<typeof planFactsShape> & Forecast;

/**
 * SQL: operating seconds of a machine, including those before its controller was replaced; `m` is its row, `s` its
 * state.
 */
export const operatingSql = sql`(m.previous_operating_time + s.operating_time)`;
const kinds = sql.raw(planResettingKinds.map((kind) => `'${kind}'`).join(', '));
const activePlanWhere = (plan: SQL): SQL => sql`${plan}.deleted_at is null and ${plan}.is_active`;

/**
 * Returns the plans that apply to the machines, with forecasts. A machine's own plans take precedence over its type's.
 * Plans count from the last maintenance or inspection, else from the last service entered by hand, else from the
 * purchase, else from the creation of the machine.
 */
export async function readPlanForecasts(tx: Queries, ids: readonly number[], now: Date): Promise<PlanForecast[]> {
  const today = now.toISOString().slice(0, 10);
  const [p, own] = [sql.raw('p'), sql.raw('own')];
  const rows = await tx.select(
    planFactsShape,
    sql`
    select m.id as "machineId", plan.id as "planId", plan.name, plan.machine_id is not null as own,
    plan.every_months as months, plan.every_hours as hours,
      base.since::text as since, ${today} as today,
      greatest(0, case when last.operating_time is null then coalesce(work.since, 0)
      else ${operatingSql} - last.operating_time end)::float8 as used,
      (coalesce(work.recent, 0)::float8 / greatest(1, least(30, ${today}::date - work.first))) as "perDay"
    from machines m join machines_state s on s.id = m.id
    join lateral (
      select p.id, p.name, p.machine_id, p.every_months, p.every_hours from service_plans p where p.machine_id = m.id
      and ${activePlanWhere(p)}
      union all
      select p.id, p.name, p.machine_id, p.every_months, p.every_hours from service_plans p where p.type_id = m.type_id
      and ${activePlanWhere(p)}
        and not exists (select from service_plans own where own.machine_id = m.id and ${activePlanWhere(own)})
    ) plan on true
    left join lateral (
      select date, operating_time from service_entries where machine_id = m.id and deleted_at is null
      and kind in (${kinds}) order by date desc, id desc limit 1
    ) last on true
    left join service_by_hand hand on hand.machine_id = m.id
    cross join lateral (
      select coalesce(last.date, case when hand.machine_id is null then m.last_service else hand.last_service
      end, m.purchase_date, m.created_at::date) as since
    ) base
    cross join lateral (
      select sum(d.cleaning + d.online) filter (where d.day > base.since) as since,
        sum(d.cleaning + d.online) filter (where d.day >= ${today}::date - 30 and d.day < ${today}::date) as recent,
        (select min(day) from machine_days where machine_id = m.id) as first
      from machine_days d where d.machine_id = m.id and d.day >= least(base.since, ${today}::date - 30)
    ) work
    where m.deleted_at is null and m.id = any(${sql.param([...ids])}::int[])
    order by m.id, plan.id`,
  );
  return rows.map((row) => ({ ...row, ...forecastOf(row, row) }));
}

/** Returns the plan that falls due first, per machine. */
export function nextByMachine(plans: readonly PlanForecast[]): Map<number, PlanForecast> {
  const forecasts = new Map<number, PlanForecast>();
  for (const plan of plans) {
    const earlier = forecasts.get(plan.machineId);
    forecasts.set(plan.machineId, (earlier && earliestOf([earlier, plan])) ?? plan);
  }
  return forecasts;
}

/**
 * Stores the next date that the plans yield. Machines without a plan keep their date. Returns the machines whose date
 * changed.
 */
export async function refreshDue(
  tx: Queries,
  ids: readonly number[],
  now: Date,
): Promise<{ id: number; next_service_due: string | null }[]> {
  const next = [...nextByMachine(await readPlanForecasts(tx, ids, now)).values()];
  if (next.length === 0) return [];
  return tx.select(
    { id: pg.integer, next_service_due: pg.text.nullable },
    sql`
    update machines m set next_service_due = plan.due
    from unnest(${sql.param(next.map(({ machineId }) => machineId))}::int[],
    ${sql.param(next.map(({ due }) => due))}::date[]) as plan(id, due)
    where m.id = plan.id and m.next_service_due is distinct from plan.due
    returning m.id, m.next_service_due::text as next_service_due`,
  );
}

/**
 * SQL: next service of a machine being created, from the plans of its type; without a plan, the date that was entered.
 * The machine has no operating time yet, so only months count.
 */
export function firstDueSql(
  { type_id, last_service, purchase_date, next_service_due }: Record<string, unknown>,
  today: unknown,
): SQL | undefined {
  if (type_id === undefined || type_id === null) return undefined;
  return sql`(
    select case when count(*) = 0 then ${next_service_due ?? null}::date
      else (${last_service ?? purchase_date ?? today}::date + min(p.every_months) * interval '1 month')::date end
    from service_plans p where p.type_id = ${type_id}::int and ${activePlanWhere(sql.raw('p'))})`;
}
