/** Stores runs that machines or their makers' clouds report. */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Values by field of a run, valid by its declaration; `external_id`, `started_at` and `ended_at` are present. */
export interface ReportedRun {
  machineId: number;
  values: Readonly<Record<string, unknown>>;
}

/** Columns that a report may fill. */
const reportedColumns = {
  external_id: 'text',
  task_name: 'text',
  task_id: 'text',
  mode: 'text',
  mode_raw: 'text',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  outcome: 'text',
  outcome_raw: 'text',
  planned_area_m2: 'float8',
  cleaned_area_m2: 'float8',
  duration_s: 'int',
  distance_m: 'float8',
  water_l: 'float8',
  energy_wh: 'float8',
  battery_start: 'float8',
  battery_end: 'float8',
  interruptions: 'jsonb',
  operator: 'text',
  consumables: 'jsonb',
} as const;

/**
 * Stores new runs in the transaction of the caller, who publishes the events after the commit. A run counts once per
 * machine and external id, also if somebody deleted it since.
 */
export async function storeReportedRuns(
  tx: Queries,
  runs: readonly ReportedRun[],
): Promise<{ stored: number; events: LiveEvent[] }> {
  if (runs.length === 0) return { stored: 0, events: [] };
  const rows = runs.map(({ machineId, values }) => ({ ...values, machine_id: machineId }));
  const names = Object.keys(reportedColumns) as (keyof typeof reportedColumns)[];
  const types = sql.raw(names.map((name) => `${name} ${reportedColumns[name]}`).join(', '));
  const values = names.map((name) =>
    name === 'duration_s'
      ? sql`coalesce(r.duration_s, round(extract(epoch from r.ended_at - r.started_at))::int)`
      : sql.raw(`r.${name}`),
  );
  const stored = await tx.select(
    { id: pg.integer },
    sql`
    insert into runs (machine_id, location_id, source, ${sql.raw(names.join(', '))})
    select r.machine_id, stay.location_id, 'reported', ${sql.join(values, sql`, `)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(machine_id int, ${types})
    left join lateral (select s.location_id from machine_stays s where s.machine_id = r.machine_id
      and s.from_at <= r.started_at and coalesce(s.to_at, 'infinity') > r.started_at limit 1) stay on true
    where not exists (select from runs known where known.machine_id = r.machine_id
      and known.external_id = r.external_id)
    order by r.machine_id, r.external_id on conflict do nothing returning id`,
  );
  return { stored: stored.length, events: stored.map(({ id }) => ({ entity: 'runs', id, type: 'created' })) };
}
