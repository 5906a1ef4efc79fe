/**
 * SQL of the amounts that a run adds to daily sums, for the triggers that maintain them and for queries that cannot use
 * them.
 */

const outcomes = ['completed', 'partial', 'aborted', 'failed'];
/**
 * SQL: the interruptions `i` of a run `r`. Malformed JSON must not block a write, so anything but an array counts as no
 * interruptions.
 */
const interruptionsSql =
  "jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i";
const hasBothAreasSql = 'r.planned_area_m2 is not null and r.cleaned_area_m2 is not null';
/** SQL by column: what a run `r` adds to the sums of its day. */
const amounts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(outcomes.map((outcome) => [outcome, `(coalesce(r.outcome, '') = '${outcome}')::int`])),
  unknown: '(r.outcome is null)::int',
  planned_m2: `case when ${hasBothAreasSql} then r.planned_area_m2 else 0 end::numeric`,
  cleaned_m2: `case when ${hasBothAreasSql} then r.cleaned_area_m2 else 0 end::numeric`,
  interruptions: `(select count(*) from ${interruptionsSql})`,
  helped: `(select count(*) from ${interruptionsSql} where i->>'resolved_at' is not null)`,
  help_s: `(select coalesce(sum(greatest(0, extract(epoch from
    (i->>'resolved_at')::timestamptz - (i->>'at')::timestamptz))), 0) from ${interruptionsSql})`,
};

export const runAmounts = Object.keys(amounts);
export const runDayColumns = ['day', 'fleet_id', 'location_id', ...runAmounts].join(', ');
/** SQL: columns `runDayColumns` of a select from runs `r`; amounts are multiplied by `sign`. */
export const runAmountsSql = (sign = '1'): string =>
  [
    "(r.started_at at time zone 'UTC')::date as day",
    'r.fleet_id',
    'coalesce(r.location_id, 0) as location_id',
    ...Object.entries(amounts).map(([name, amount]) => `${sign} * ${amount} as ${name}`),
  ].join(', ');

/** SQL condition: a run `r` counts, since it is neither deleted nor superseded, and belongs to a fleet. */
export const countedRunWhere = 'r.deleted_at is null and r.superseded_by is null and r.fleet_id is not null';
