/** Versions of a report: finds the latest, and what it changes in the stored run. Pure. */
import { isInFuture, runTimesProblem, secondsBetween } from './runTimes';

type Values = Readonly<Record<string, unknown>>;

/**
 * Valid values by field of a run (`readRun`), including `started_at` and `ended_at`, without read-only fields. `map_id`
 * determines the floor unless `floor_id` is set.
 */
export interface ReportedRun {
  machineId: number;
  values: Values;
  /** Time of this version of the report. */
  reportedAt: Date;
  /** Whether `reportedAt` was sent; else it is the time of receipt, which a repeated delivery does not change. */
  hasOwnTime?: boolean;
}

/**
 * Time of a version: the sender's, unless it is missing or ahead of the receipt (`isInFuture`); then the receipt.
 */
export function reportTimeOf(
  sentAt: Date | undefined,
  receivedAt: Date,
): Required<Pick<ReportedRun, 'reportedAt' | 'hasOwnTime'>> {
  const hasOwnTime = sentAt !== undefined && !isInFuture(sentAt, receivedAt);
  return { reportedAt: hasOwnTime ? sentAt : receivedAt, hasOwnTime };
}

/** Identity of a reported run: external id, else start. */
const runKeyOf = ({ machineId, values: { external_id: id, started_at: start } }: ReportedRun): string =>
  `${machineId} ${id === undefined ? `at ${start}` : `id ${id}`}`;

/**
 * Merges versions of one run in a batch, with the index of the latest: later values apply, earlier ones remain where
 * the later version has none. Of equal times the last one is the latest.
 */
export function mergeReports(runs: readonly ReportedRun[]): { index: number; report: ReportedRun }[] {
  const reportsByKey = new Map<string, { index: number; report: ReportedRun }>();
  const sortedRuns = [...runs.entries()].sort(([, a], [, b]) => a.reportedAt.getTime() - b.reportedAt.getTime());
  for (const [index, report] of sortedRuns) {
    const key = runKeyOf(report);
    const values = { ...reportsByKey.get(key)?.report.values, ...report.values };
    reportsByKey.set(key, { index, report: { ...report, values } });
  }
  return [...reportsByKey.values()];
}

/** Changes of the stored row that follow from a later version of its report. */
export interface RunCorrection {
  /** Values of columns; those that a person corrected are absent. */
  values: Record<string, unknown>;
  /** Reported values of fields that a person corrected, if one changed. */
  original?: Record<string, unknown>;
}

/**
 * Compares a stored run with a later version of its report. Fields that the version lacks stay. Fields that a person
 * corrected keep their value; the reported one goes to `original`. Returns `undefined` if nothing changes.
 */
export function correctRun(stored: Values, report: Values): RunCorrection | undefined {
  const original = (stored.original ?? {}) as Values;
  const formerReport = withIsoTimes({ ...stored, ...original });
  const nextReport: Record<string, unknown> = { ...formerReport, ...withIsoTimes(report) };
  const hasUsualDuration = formerReport.duration_s === secondsOf(formerReport);
  if (report.duration_s === undefined && hasUsualDuration) nextReport.duration_s = secondsOf(nextReport);
  const correction: RunCorrection = { values: {} };
  for (const [name, value] of Object.entries(nextReport)) {
    if (isEqual(formerReport[name], value)) continue;
    if (Object.hasOwn(original, name)) correction.original = { ...original, ...correction.original, [name]: value };
    else correction.values[name] = value;
  }
  return Object.keys(correction.values).length > 0 || correction.original ? correction : undefined;
}

const timesOf = ({ started_at: start, ended_at: end }: Values) =>
  [new Date(String(start)), new Date(String(end))] as const;
const secondsOf = (values: Values): number => secondsBetween(...timesOf(values));
/** Problem of the times that result from a report and a person's corrections. */
export const timesProblem = (values: Values, now: Date) => runTimesProblem(...timesOf(values), now);

/** In ISO 8601: PostgreSQL prints times in another format. */
const withIsoTimes = (values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    ['started_at', 'ended_at'].flatMap((name) =>
      values[name] === undefined ? [] : [[name, new Date(String(values[name])).toISOString()]],
    ),
  ),
});

const isEqual = (a: unknown, b: unknown): boolean => a === b || canonicalText(a) === canonicalText(b);

/** JSON with sorted keys: PostgreSQL stores them in another order. */
const canonicalText = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, jsonValue: unknown) =>
    typeof jsonValue !== 'object' || jsonValue === null || Array.isArray(jsonValue)
      ? jsonValue
      : Object.fromEntries(Object.entries(jsonValue).sort(([x], [y]) => (x < y ? -1 : 1))),
  );
