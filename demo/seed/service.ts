/** Generates the demo's service plans and service entries. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { refreshService } from '../../server/features/service/refreshService';
import type { DemoMachine } from './machines';
import { type machineTypes, serviceIntervalMonths } from './names';
import { seededRandomSql } from './seededRandomSql';

/** Number of machines that have entries from the start; all others get them with their older history. */
const initialCount = 60;

interface ServiceSeedOptions {
  seed: number;
  types: readonly { id: number | undefined; type: (typeof machineTypes)[number] }[];
  machines: readonly DemoMachine[];
  now: Date;
}

/**
 * Inserts a plan for every type, which for large machines also counts operating hours, and stricter plans for a few
 * busy machines.
 */
export async function seedServicePlans(tx: Queries, { seed, types, machines, now }: ServiceSeedOptions): Promise<void> {
  const busyIds = machines
    .filter(({ location, device }, nth) => location && device && nth % 41 === 0)
    .map(({ id }) => id);
  await tx.rows(sql`
    insert into service_plans (name, type_id, machine_id, every_months, every_hours)
    select name, type_id, null, ${serviceIntervalMonths}::int, hours from unnest(
      ${sql.param(types.map(({ type }) => `Service ${type.name}`))}::text[],
      ${sql.param(types.map(({ id }) => id))}::int[],
      ${sql.param(types.map(({ type }) => (type.area > 4000 ? 900 : null)))}::int[]) as plan(name, type_id, hours)
    union all select 'Intensive use', null, id, 6, 250 from unnest(${sql.param(busyIds)}::int[]) as machine(id)`);
  const ids = machines.slice(0, initialCount).map(({ id }) => id);
  await seedServiceEntries(tx, { seed, ids });
  await refreshService(tx, ids, now);
}

/**
 * Inserts up to four entries per serviced machine, the last one on its date of last service. The caller must run
 * `refreshService` afterwards.
 */
export async function seedServiceEntries(
  tx: Queries,
  { seed, ids }: { seed: number; ids: readonly number[] },
): Promise<void> {
  const roll = (purpose: number) => seededRandomSql(seed, sql`m.id`, sql`nth`, purpose);
  await tx.rows(sql`
    insert into service_entries (machine_id, date, kind, cost, note, created_at, updated_at)
    select m.id, day, case when nth = 0 then 'maintenance' else (array['maintenance', 'inspection', 'repair',
    'wear_part'])[pick] end,
      round(coalesce(m.price, 20000) * (0.003 + 0.02 * ${roll(22)})::numeric, 2),
      (array['Oil and filters changed, brakes checked.', 'Annual safety check passed.', 'Suction motor replaced.',
      'Brushes and squeegee blades replaced.'])[case when nth = 0 then 1 else pick end],
      day + interval '15 hours', day + interval '15 hours'
    from machines m cross join generate_series(0, 3) nth
    cross join lateral (select m.last_service - nth * 140 - floor(${roll(20)} * 40)::int * sign(nth)::int as day,
    1 + floor(${roll(21)} * 4)::int as pick) made
    where m.id = any(${sql.param([...ids])}::int[]) and m.last_service is not null and day > m.purchase_date
    and (nth = 0 or ${roll(23)} < 0.7)
      and not exists (select from service_entries where machine_id = m.id)`);
}
