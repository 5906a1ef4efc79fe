/** Stores runs reported by machines or their makers' clouds, and later versions of such reports. */

import { sql } from 'drizzle-orm';
import type { Interruption } from '../../../schema/dsl/shapes';
import type { FieldProblem } from '../../context/errors';
import type { LiveEvent } from '../../context/eventBus';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { type ComputationSteps, runInTurns } from '../../shared/steps';
import { lockMachines } from '../timeline/lockMachines';
import { correctRun, mergeReports, type ReportedRun, type RunCorrection, timesProblem } from './correctRun';
import { clipInterruptions } from './interruptionTimes';
import { type RunTimesRow, runSpanOf } from './mergeRunSpans';
import { floorProblems, type ReportPlace, readReportPlaces, type StoredRun } from './reportPlaces';
import type { RunTimesProblem } from './runTimes';
import { supersedeRuns } from './supersedeRuns';

/** A corrected run; `before` and `after` are values by field, as in JSON. */
interface CorrectedRun {
  id: number;
  /** The whole row. */
  before: Record<string, unknown>;
  /** The changed columns. */
  after: Record<string, unknown>;
}

export interface StoreRunsResult {
  /** Number of new and corrected runs. Other reports without a problem changed nothing. */
  stored: number;
  /** Corrected runs, for the audit trail (`writeAuditEntries`). */
  correctedRuns: CorrectedRun[];
  /** Problems by index in `runs`: runs that do not fit their floor or last too long; they are not stored. */
  problems: { index: number; field: string; problem: FieldProblem }[];
  /** Events to publish after the commit. */
  events: LiveEvent[];
}

/** Types of the columns that a report sets. */
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
  location_id: 'int',
  floor_id: 'int',
  reported_at: 'timestamptz',
} as const;
const columnNames = Object.keys(reportedColumns) as (keyof typeof reportedColumns)[];
const columnTypes = Object.entries(reportedColumns).map(([name, type]) => `${name} ${type}`);

/**
 * Stores reports of any machines in the caller's transaction; the caller writes the audit entries, and publishes the
 * events after the commit. A run is identified by machine and external id, or, if it has none, by machine and reported
 * start. A
 * report of a stored run corrects it, unless it is an older version. Fields that a person corrected keep their value;
 * entered runs stay as they are. A deleted run stays in the bin, corrected, so that a person can restore what was
 * reported last. May supersede runs of the same time.
 */
export async function storeReportedRuns(
  tx: Queries,
  runs: readonly ReportedRun[],
  now: Date,
): Promise<StoreRunsResult> {
  if (runs.length === 0) return { stored: 0, correctedRuns: [], problems: [], events: [] };
  // Serializes reports of one run, so that the second finds the first.
  await lockMachines(tx, [...new Set(runs.map(({ machineId }) => machineId))]);
  const mergedReports = mergeReports(runs).map(({ index, report }) => ({
    index,
    report: { ...report, values: withClippedInterruptions(report.values, now) },
  }));
  const reports = mergedReports.map(({ report }) => report);
  const { problems, newRuns, changes } = await runInTurns(
    compareReports(mergedReports, { places: await readReportPlaces(tx, reports), now }),
  );
  const createdRows = await insertRuns(tx, newRuns);
  await updateRuns(tx, changes);
  const corrections = changes.filter(({ correction }) => correction);
  const changedRuns: RunTimesRow[] = [...createdRows, ...corrections.flatMap(({ before, after }) => [before, after])];
  const supersededIds = await supersedeRuns(tx, changedRuns.map(runSpanOf));
  return {
    stored: createdRows.length + corrections.length,
    correctedRuns: corrections.map(({ before, correction }) => ({
      id: before.id,
      before,
      after: { ...correction?.values, ...(correction?.original && { original: correction.original }) },
    })),
    problems,
    events: [
      ...createdRows.map(({ id }): LiveEvent => ({ entity: 'runs', id, type: 'created' })),
      ...corrections.map(({ before }): LiveEvent => ({ entity: 'runs', id: before.id, type: 'updated' })),
      ...supersededIds.map((id): LiveEvent => ({ entity: 'runs', id, type: 'updated' })),
    ],
  };
}

interface ReportComparison extends Pick<StoreRunsResult, 'problems'> {
  newRuns: object[];
  changes: RunChange[];
}

/** Compares reports, up to 10,000, with the stored runs. Yields after each, so that other work gets a turn. */
function* compareReports(
  mergedReports: ReturnType<typeof mergeReports>,
  { places, now }: { places: readonly ReportPlace[]; now: Date },
): ComputationSteps<ReportComparison> {
  const comparison: ReportComparison = { problems: [], newRuns: [], changes: [] };
  for (const [reportIndex, { index, report }] of mergedReports.entries()) {
    yield;
    const place = places[reportIndex] as ReportPlace;
    const change = place.storedRun && compareRun(place.storedRun, report, place);
    if (place.storedRun && !change) continue;
    const reportProblems = change ? changedRunProblems(change, place, now) : newRunProblems(report, place, now);
    comparison.problems.push(...reportProblems.map(([field, text]) => ({ index, field, problem: { text } })));
    if (reportProblems.length > 0) continue;
    if (change) comparison.changes.push(change);
    else comparison.newRuns.push(newRow(report, place));
  }
  return comparison;
}

function withClippedInterruptions(values: ReportedRun['values'], now: Date): ReportedRun['values'] {
  if (!Array.isArray(values.interruptions)) return values;
  const times = { start: new Date(String(values.started_at)), end: new Date(String(values.ended_at)) };
  return { ...values, interruptions: clipInterruptions(values.interruptions as Interruption[], times, now) };
}

const newRow = ({ machineId, values, reportedAt }: ReportedRun, { stay, floor, floorLocation }: ReportPlace) => ({
  ...values,
  machine_id: machineId,
  location_id: stay ?? floorLocation,
  floor_id: floor,
  reported_at: reportedAt.toISOString(),
});

/** A stored run before and after a later version of its report; without `correction`, the version changes nothing. */
interface RunChange {
  before: StoredRun;
  after: StoredRun;
  correction: RunCorrection | undefined;
}

/** `undefined` if the run stays as it is. */
function compareRun(
  before: StoredRun,
  { values, reportedAt, hasOwnTime = false }: ReportedRun,
  place: ReportPlace,
): RunChange | undefined {
  const versionTime = Date.parse(String(before.reported_at ?? before.created_at));
  if (before.source !== 'reported' || reportedAt.getTime() < versionTime) return undefined;
  const { map_id: _map, floor_id: namedFloor, ...content } = values;
  const floor = place.floor === null ? {} : { floor_id: place.floor };
  const contentCorrection = correctRun(before, { ...content, ...(namedFloor !== undefined && floor) });
  if (!contentCorrection && !(hasOwnTime && reportedAt.getTime() > versionTime)) return undefined;
  // A different place alone is no correction: maps are linked to floors, and machines moved, at any time.
  const location = contentCorrection?.values.started_at && place.stay !== null ? { location_id: place.stay } : {};
  const correction = contentCorrection && correctRun(before, { ...content, ...floor, ...location });
  const original = correction?.original ?? before.original;
  const after = { ...before, ...correction?.values, original, reported_at: reportedAt.toISOString() };
  return { before, after, correction };
}

type RunProblem = [field: string, text: 'floor_elsewhere' | 'larger_than_floor' | RunTimesProblem[1]];

const areasOf = ({ planned_area_m2, cleaned_area_m2 }: Readonly<Record<string, unknown>>) => ({
  ...(planned_area_m2 !== undefined && { planned_area_m2 }),
  ...(cleaned_area_m2 !== undefined && { cleaned_area_m2 }),
});
const timesProblems = (values: Readonly<Record<string, unknown>>, now: Date): RunProblem[] => {
  const problem = timesProblem(values, now);
  return problem ? [problem] : [];
};

const newRunProblems = ({ values }: ReportedRun, place: ReportPlace, now: Date): RunProblem[] => [
  ...floorProblems(place, areasOf(values)),
  ...timesProblems(values, now),
];

/** Problems of the run that results from the report and a person's corrections. */
function changedRunProblems({ after, correction }: RunChange, place: ReportPlace, now: Date): RunProblem[] {
  const values = correction?.values ?? {};
  const hasNewFloor = values.floor_id !== undefined;
  const floorArea = hasNewFloor ? place.floorArea : place.storedFloorArea;
  // A floor that stays is not checked against the location again.
  const placeToCheck = hasNewFloor ? place : { stay: null, floorLocation: null };
  return [
    ...floorProblems({ ...placeToCheck, floorArea }, areasOf(hasNewFloor ? after : values)),
    ...timesProblems(after, now),
  ];
}

const writtenRunShape = {
  id: pg.integer,
  machine_id: pg.integer,
  started_at: pg.timestamptz,
  ended_at: pg.timestamptz,
};

async function insertRuns(tx: Queries, rows: readonly object[]) {
  if (rows.length === 0) return [];
  const values = columnNames.map((name) =>
    name === 'duration_s'
      ? sql`coalesce(r.duration_s, round(extract(epoch from r.ended_at - r.started_at))::int)`
      : sql.raw(`r.${name}`),
  );
  return tx.select(
    writtenRunShape,
    sql`
    insert into runs (machine_id, source, ${sql.raw(columnNames.join(', '))})
    select r.machine_id, 'reported', ${sql.join(values, sql`, `)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(machine_id int,
      ${sql.raw(columnTypes.join(', '))})
    order by r.machine_id, r.started_at on conflict do nothing
    returning id, machine_id, started_at, ended_at`,
  );
}

async function updateRuns(tx: Queries, changes: readonly RunChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.rows(sql`
    update runs d set original = r.original, ${sql.raw(columnNames.map((name) => `${name} = r.${name}`).join(', '))}
    from jsonb_to_recordset(${JSON.stringify(changes.map(({ after }) => after))}::text::jsonb)
      as r(id int, original jsonb, ${sql.raw(columnTypes.join(', '))})
    where d.id = r.id`);
}
