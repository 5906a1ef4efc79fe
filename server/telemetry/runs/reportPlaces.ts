/** Finds what reported runs belong to: location, floor, and the stored run of the same report. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { ReportedRun } from './correctRun';
import type { RunTimesRow } from './mergeRunSpans';

export interface RunPlace {
  /** Location of the machine at the start. */
  stay: number | null;
  /** Location of the floor that the report names, itself or by its map. */
  floorLocation: number | null;
  /** Square metres of the floor, if its size is known. */
  floorArea: number | null;
}

/** Problem of a run with its floor: the field and the text. */
export function floorProblems(
  { stay, floorLocation, floorArea }: RunPlace,
  areas: Readonly<Record<string, unknown>>,
): [field: string, text: 'floor_elsewhere' | 'larger_than_floor'][] {
  const isElsewhere = stay !== null && floorLocation !== null && stay !== floorLocation;
  const largerAreas = Object.entries(areas).filter(([, area]) => floorArea !== null && Number(area ?? 0) > floorArea);
  return [
    ...(isElsewhere ? [['floor_id', 'floor_elsewhere'] as [string, 'floor_elsewhere']] : []),
    ...largerAreas.map(([field]): [string, 'larger_than_floor'] => [field, 'larger_than_floor']),
  ];
}

/** SQL: the location of a machine at a moment. */
export const stayAtSql = (machine: ReturnType<typeof sql>, instant: ReturnType<typeof sql>) => sql`(select s.location_id
  from machine_stays s where s.machine_id = ${machine} and s.from_at <= ${instant}
  and coalesce(s.to_at, 'infinity') > ${instant} limit 1)`;

export interface ReportPlace extends RunPlace {
  floor: number | null;
  /** The stored run of this report. */
  storedRun: StoredRun | null;
  /** Square metres of the floor of `storedRun`. */
  storedFloorArea: number | null;
}

/** Row of `runs` as JSON. */
export type StoredRun = Readonly<Record<string, unknown>> & RunTimesRow & { id: number };

/** Location and floor of each report, and its stored run if there is one, in order. */
export async function readReportPlaces(tx: Queries, reports: readonly ReportedRun[]): Promise<ReportPlace[]> {
  const requests = reports.map(({ machineId, values }, index) => ({
    index,
    machine_id: machineId,
    ...Object.fromEntries(['started_at', 'floor_id', 'map_id'].map((name) => [name, values[name]])),
  }));
  const places = await tx.select(
    {
      stay: pg.integer.nullable,
      floor: pg.integer.nullable,
      floorLocation: pg.integer.nullable,
      floorArea: pg.double.nullable,
    },
    sql`
    select p.stay, f.id as floor, f.location_id as "floorLocation", f.width_m * f.height_m as "floorArea"
    from jsonb_to_recordset(${JSON.stringify(requests)}::text::jsonb)
      as r(index int, machine_id int, started_at timestamptz, floor_id int, map_id text)
    cross join lateral (select ${stayAtSql(sql`r.machine_id`, sql`r.started_at`)} as stay) p
    left join lateral (
      select f.* from floors f join locations l on l.id = f.location_id join machines m on m.id = r.machine_id
      where f.deleted_at is null and (case when r.floor_id is not null then f.id = r.floor_id and l.fleet_id in (
          select ours.id from fleets ours join fleets own on own.client_id = ours.client_id where own.id = m.fleet_id)
        else f.location_id = p.stay and f.maps @> jsonb_build_array(jsonb_build_object('map_id', r.map_id)) end)
      order by f.id limit 1) f on true
    order by r.index`,
  );
  const storedRunsByKey = await readStoredRuns(tx, reports);
  return places.map((place, index) => {
    const { storedRun = null, storedFloorArea = null } =
      storedRunsByKey.get(reportKeyOf(reports[index] as ReportedRun)) ?? {};
    return { ...place, storedRun, storedFloorArea };
  });
}

/** Identifies a run: by machine and external id, or, if it has none, by machine and reported start. */
const reportKeyOf = ({
  machineId,
  values: { external_id, started_at },
}: Pick<ReportedRun, 'machineId' | 'values'>): string =>
  JSON.stringify([machineId, external_id ?? Date.parse(String(started_at))]);

/**
 * Stored runs of reports by key; a deleted one only where no other has the key. They are matched here and not in SQL:
 * without statistics about its tables, PostgreSQL would compare every report with every run. A corrected start is at
 * most 31 days, the longest run, from the reported one.
 */
async function readStoredRuns(
  tx: Queries,
  reports: readonly ReportedRun[],
): Promise<Map<string, Pick<ReportPlace, 'storedRun' | 'storedFloorArea'>>> {
  const machines = sql.param([...new Set(reports.map(({ machineId }) => machineId))]);
  const externalIds = reports.flatMap(({ values }) => (values.external_id == null ? [] : [String(values.external_id)]));
  const startTimes = reports.flatMap(({ values }) => (values.external_id == null ? [String(values.started_at)] : []));
  const rows = await tx.select(
    { storedRun: pg.json<StoredRun>(), storedFloorArea: pg.double.nullable },
    sql`
    select to_jsonb(run) as "storedRun", f.width_m * f.height_m as "storedFloorArea" from (
      select * from runs a where a.machine_id = any(${machines}::int[])
        and a.external_id = any(${sql.param(externalIds)}::text[])
      union all select * from runs b where b.machine_id = any(${machines}::int[]) and b.external_id is null
        and b.source = 'reported' and b.started_at = any(${sql.param(startTimes)}::timestamptz[])
      union all select c.* from (
        select min(t) - interval '31 days' as earliest, max(t) + interval '31 days' as latest
        from unnest(${sql.param(startTimes)}::timestamptz[]) as t
      ) range join runs c on c.started_at between range.earliest and range.latest
      where c.machine_id = any(${machines}::int[]) and c.external_id is null and c.source = 'reported'
        and (c.original->>'started_at')::timestamptz = any(${sql.param(startTimes)}::timestamptz[])
    ) run left join floors f on f.id = run.floor_id
    order by run.deleted_at is null, run.id desc`,
  );
  return new Map(
    rows.map((row) => {
      const { machine_id, external_id, started_at, original } = row.storedRun;
      // A person may have corrected the start; the maker goes on reporting the original one.
      const values = { external_id, started_at, ...(original as { started_at?: unknown } | null) };
      return [reportKeyOf({ machineId: machine_id, values: { ...values, external_id } }), row];
    }),
  );
}
