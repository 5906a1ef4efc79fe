/** Hooks of runs: their location, their derived figures, and the original values of corrected runs. */
import { sql } from 'drizzle-orm';
import type { Interruption } from '../../../schema/dsl/shapes';
import { ApiError } from '../../context/errors';
import type { EntityHooks, WriteContext } from '../../context/services';
import { valueAfterWrite } from '../../crud/rules/validatePlaceOfClient';
import { pg } from '../../db/core/rowShape';
import { isOutsideRun, type RunTimes } from '../../telemetry/runs/interruptionTimes';
import { type RunTimesRow, runSpanOf } from '../../telemetry/runs/mergeRunSpans';
import { floorProblems, stayAtSql } from '../../telemetry/runs/reportPlaces';
import { runTimesProblem, secondsBetween } from '../../telemetry/runs/runTimes';
import { supersedeRuns } from '../../telemetry/runs/supersedeRuns';
import { readerZoneSql } from '../../telemetry/timeline/reasons';

export const runHooks: EntityHooks = {
  derived: {
    summary: ({
      row,
      caller,
    }) => sql`(select to_char(${row}.started_at at time zone ${readerZoneSql(caller, sql`site`)},
      'DD.MM.YYYY HH24:MI') || coalesce(' · ' || nullif(${row}.task_name, ''), '')
      from (select ${row}.location_id as location_id) run left join locations site on site.id = run.location_id)`,
    coverage: ({ row }) =>
      sql`(case when ${row}.planned_area_m2 > 0 and ${row}.cleaned_area_m2 is not null
        then least(1, ${row}.cleaned_area_m2 / ${row}.planned_area_m2) end)`,
    efficiency_m2_h: ({ row }) =>
      sql`(case when ${row}.duration_s > 0 then ${row}.cleaned_area_m2 * 3600 / ${row}.duration_s end)`,
    interruptions_count: ({ row }) => sql`coalesce(jsonb_array_length(${row}.interruptions), 0)`,
  },
  // A superseded run only documents the run that replaced it, which is the one that counts.
  summedWhere: (row) => sql`${row}.superseded_by is null`,

  // Sorts by time, because the text begins with the day of the month.
  order: { summary: ({ row }) => sql`to_char(${row}.started_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')` },

  async before(context) {
    const { values, current, fail } = context;
    if (current?.source === 'derived') {
      for (const field of Object.keys(values)) fail(field, { text: 'derived_run' });
      return;
    }
    if (current && values.machine_id !== undefined) fail('machine_id', { key: 'prohibited' });
    completeTimes(context);
    await completeLocation(context);
    if (current?.source === 'reported' && Object.keys(values).length > 0)
      values.original = {
        ...Object.fromEntries(Object.keys(values).map((name) => [name, current[name] ?? null])),
        ...(current.original as object | null),
      };
  },

  async after({ tx, values, current }) {
    if (!current) await supersedeRuns(tx, spansOfRows(values));
  },

  async afterEdit(changes) {
    const spans = changes.flatMap(({ values, current }) => spansOfRows(current, { ...current, ...values }));
    if (changes[0]) await supersedeRuns(changes[0].tx, spans);
  },

  async afterTrash({ tx, rows }) {
    await supersedeRuns(tx, spansOfRows(...rows));
  },

  async beforeDelete({ current }) {
    // The next message would derive the run again; until then, the timeline would show cleaning without a run.
    if (current.source === 'derived') throw ApiError.conflict('derived_run');
  },
};

const spansOfRows = (...rows: Record<string, unknown>[]) => rows.map((row) => runSpanOf(row as unknown as RunTimesRow));

const timesOf = (row: Record<string, unknown>): RunTimes => ({
  start: new Date(String(row.started_at)),
  end: new Date(String(row.ended_at)),
});

/**
 * Validates start, end and interruptions. If no duration was sent, sets it to the time from start to end, unless the
 * stored duration excludes pauses.
 */
function completeTimes({ services, values, current, fail }: WriteContext): void {
  if (!['started_at', 'ended_at', 'interruptions'].some((name) => name in values)) return;
  const times = timesOf({ ...current, ...values });
  const now = services.now();
  const problem = runTimesProblem(times.start, times.end, now);
  if (problem) fail(problem[0], { text: problem[1] });
  else if (hasNewInterruptionOutside({ values, current, times, now }))
    fail('interruptions', { text: 'interruption_beside_run' });
  const formerTimes = current && timesOf(current);
  const hadNoPauses = !formerTimes || secondsBetween(formerTimes.start, formerTimes.end) === current.duration_s;
  const span = secondsBetween(times.start, times.end);
  if (values.duration_s == null && hadNoPauses && !problem && Number.isFinite(span)) values.duration_s = span;
}

/**
 * Whether the write puts an interruption outside the run. Interruptions that were outside before may stay, because
 * devices report some there.
 */
function hasNewInterruptionOutside({
  values,
  current,
  times,
  now,
}: Pick<WriteContext, 'values' | 'current'> & { times: RunTimes; now: Date }): boolean {
  const formerlyOutside = interruptionsOf(current).filter((former) =>
    isOutsideRun(former, timesOf(current ?? {}), now),
  );
  const formerlyOutsideStarts = new Set(formerlyOutside.map(({ at }) => at));
  return interruptionsOf({ ...current, ...values }).some(
    (interruption) => isOutsideRun(interruption, times, now) && !formerlyOutsideStarts.has(interruption.at),
  );
}

const interruptionsOf = (row: Record<string, unknown> | undefined): Interruption[] =>
  Array.isArray(row?.interruptions) ? row.interruptions : [];

/**
 * Sets the location where the machine was at the start, and validates that the floor belongs to that location. Locks
 * the machine, so that it does not move to another client before the run is stored.
 */
async function completeLocation({ tx, values, current, fail }: WriteContext): Promise<void> {
  const valueAfter = (name: string) => valueAfterWrite({ values, current }, name);
  if (!['machine_id', 'floor_id', 'started_at', 'planned_area_m2', 'cleaned_area_m2'].some((name) => name in values))
    return;
  const [machine, floor, start] = [valueAfter('machine_id'), valueAfter('floor_id') ?? null, valueAfter('started_at')];
  if (typeof machine !== 'number' || start === undefined) return;
  const position = await tx.selectOne(
    { stay: pg.integer.nullable, floor_location: pg.integer.nullable, area: pg.double.nullable, locked: pg.integer },
    sql`select ${stayAtSql(sql`${machine}::int`, sql`${start}::timestamptz`)} as stay,
      floor.location_id as floor_location, floor.width_m * floor.height_m as area,
      (select count(*) from (select from machines where id = ${machine}::int for share) m)::int as locked
      from (select 1) one left join floors floor on floor.id = ${floor}::int`,
  );
  if (!position) return;
  const { stay, floor_location: floorLocation, area: floorArea } = position;
  const areas = ['planned_area_m2', 'cleaned_area_m2'].filter((name) => name in values || 'floor_id' in values);
  const problems = floorProblems(
    { stay, floorLocation, floorArea },
    Object.fromEntries(areas.map((name) => [name, valueAfter(name)])),
  );
  for (const [field, text] of problems) fail(field, { text });
  const location = stay ?? floorLocation;
  if (location !== (current?.location_id ?? null)) values.location_id = location;
}
