/** Stores runs reported by machines or their makers' clouds. */
import { sql } from 'drizzle-orm';
import type { FieldProblem } from '../../context/errors';
import type { LiveEvent } from '../../context/eventBus';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { runSpanOf } from './mergeRunSpans';
import { runTimesProblem } from './runTimes';
import { lockRunsOf, supersedeRuns } from './supersedeRuns';

/**
 * Values by field of a run, valid by its declaration (`readRun`): `started_at` and `ended_at` are present, no read-only
 * field is. `map_id` finds the floor unless `floor_id` names it.
 */
export interface ReportedRun {
  machineId: number;
  values: Readonly<Record<string, unknown>>;
}

export interface StoreRunsResult {
  /** New runs. Other runs without a problem were other. */
  stored: number;
  /** Problems by index in `runs`: runs that do not fit their floor or last too long; they are not stored. */
  problems: { index: number; field: string; problem: FieldProblem }[];
  /** Events to publish after the commit. */
  events: LiveEvent[];
}

/** Columns that a report may set. */
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
 * Stores new runs of any machines in the caller's transaction; the caller publishes the events after the commit. A run
 * is identified by machine and external id, or by machine and start without one; a deleted run is not stored again.
 * May supersede runs of the same time.
 */
export async function storeReportedRuns(tx: Queries, runs: readonly ReportedRun[]): Promise<StoreRunsResult> {
  if (runs.length === 0) return { stored: 0, problems: [], events: [] };
  const machineIds = [...new Set(runs.map(({ machineId }) => machineId))];
  // Serializes reports of one run, so that the second finds the first.
  await lockRunsOf(tx, machineIds);
  const places = await placesOf(tx, runs);
  const problems = places.flatMap(({ index, ...place }) => {
    const { planned_area_m2: planned, cleaned_area_m2: cleaned } = runs[index]?.values ?? {};
    const { started_at: start, ended_at: end } = runs[index]?.values ?? {};
    const wrongEnd = runTimesProblem(new Date(String(start)), new Date(String(end)));
    return [
      ...floorProblems(place, { planned_area_m2: planned, cleaned_area_m2: cleaned }),
      ...(wrongEnd ? [['ended_at', wrongEnd] as const] : []),
    ].map(([field, text]) => ({ index, field, problem: { text } }));
  });
  const refused = new Set(problems.map(({ index }) => index));
  const fitting = places.filter(({ index, isKnown }) => !isKnown && !refused.has(index));
  const rows = fitting.map(({ index, location, floor }) => {
    const { machineId, values } = runs[index] as ReportedRun;
    return { ...values, machine_id: machineId, location_id: location, floor_id: floor };
  });
  const names = Object.keys(reportedColumns) as (keyof typeof reportedColumns)[];
  const types = sql.raw(names.map((name) => `${name} ${reportedColumns[name]}`).join(', '));
  const values = names.map((name) =>
    name === 'duration_s'
      ? sql`coalesce(r.duration_s, round(extract(epoch from r.ended_at - r.started_at))::int)`
      : sql.raw(`r.${name}`),
  );
  const stored =
    rows.length === 0
      ? []
      : await tx.select(
          { id: pg.integer, machine_id: pg.integer, started_at: pg.timestamptz, ended_at: pg.timestamptz },
          sql`
    insert into runs (machine_id, location_id, floor_id, source, ${sql.raw(names.join(', '))})
    select distinct on (r.machine_id, coalesce(r.external_id, r.started_at::text)) r.machine_id, r.location_id,
      r.floor_id, 'reported', ${sql.join(values, sql`, `)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(machine_id int, location_id int, floor_id int,
      ${types})
    order by r.machine_id, coalesce(r.external_id, r.started_at::text) on conflict do nothing
    returning id, machine_id, started_at, ended_at`,
        );
  const superseded = await supersedeRuns(tx, stored.map(runSpanOf));
  return {
    stored: stored.length,
    problems,
    events: [
      ...stored.map(({ id }): LiveEvent => ({ entity: 'runs', id, type: 'created' })),
      ...superseded.map((id): LiveEvent => ({ entity: 'runs', id, type: 'updated' })),
    ],
  };
}

interface RunPlace {
  /** Location of the machine at the start. */
  stay: number | null;
  /** The floor named by the report. */
  floorLocation: number | null;
  /** Square metres of the floor, if its size is other. */
  floorArea: number | null;
}

/** Problem of a run with its floor: the field and the text. */
export function floorProblems(
  { stay, floorLocation, floorArea }: RunPlace,
  areas: Readonly<Record<string, unknown>>,
): [field: string, text: 'floor_elsewhere' | 'larger_than_floor'][] {
  const isElsewhere = stay !== null && floorLocation !== null && stay !== floorLocation;
  const larger = Object.entries(areas).filter(([, area]) => floorArea !== null && Number(area ?? 0) > floorArea);
  return [
    ...(isElsewhere ? [['floor_id', 'floor_elsewhere'] as [string, 'floor_elsewhere']] : []),
    ...larger.map(([field]): [string, 'larger_than_floor'] => [field, 'larger_than_floor']),
  ];
}

/** SQL: the location of a machine at a moment. */
export const stayAtSql = (machine: ReturnType<typeof sql>, at: ReturnType<typeof sql>) => sql`(select s.location_id
  from machine_stays s where s.machine_id = ${machine} and s.from_at <= ${at}
  and coalesce(s.to_at, 'infinity') > ${at} limit 1)`;

/** Location and floor of each run, in order, and whether the run is stored already. */
async function placesOf(tx: Queries, runs: readonly ReportedRun[]) {
  const requests = runs.map(({ machineId, values }, index) => ({
    index,
    machine_id: machineId,
    ...Object.fromEntries(['external_id', 'started_at', 'floor_id', 'map_id'].map((name) => [name, values[name]])),
  }));
  const rows = await tx.select(
    {
      index: pg.integer,
      stay: pg.integer.nullable,
      floor: pg.integer.nullable,
      floor_location: pg.integer.nullable,
      area: pg.double.nullable,
      is_known: pg.boolean,
    },
    sql`
    select r.index, p.stay, f.id as floor, f.location_id as floor_location, f.width_m * f.height_m as area,
      exists (select from runs other where other.machine_id = r.machine_id and other.source <> 'derived' and (
        other.external_id = r.external_id or (r.external_id is null and other.external_id is null
        and other.source = 'reported' and other.started_at = r.started_at))) as is_known
    from jsonb_to_recordset(${JSON.stringify(requests)}::text::jsonb)
      as r(index int, machine_id int, external_id text, started_at timestamptz, floor_id int, map_id text)
    cross join lateral (select ${stayAtSql(sql`r.machine_id`, sql`r.started_at`)} as stay) p
    left join lateral (
      select f.* from floors f join locations l on l.id = f.location_id join machines m on m.id = r.machine_id
      where f.deleted_at is null and (case when r.floor_id is not null then f.id = r.floor_id and l.fleet_id in (
          select ours.id from fleets ours join fleets own on own.client_id = ours.client_id where own.id = m.fleet_id)
        else f.location_id = p.stay and f.maps @> jsonb_build_array(jsonb_build_object('map_id', r.map_id)) end)
      order by f.id limit 1) f on true
    order by r.index`,
  );
  return rows.map(({ index, stay, floor, floor_location, area, is_known }) => ({
    index,
    floor,
    stay,
    location: stay ?? floor_location,
    floorLocation: floor_location,
    floorArea: area,
    isKnown: is_known,
  }));
}
