/** Parses a reported run: of a device in its batch, or of a maker's call once its fields are mapped. Pure. */
import { parseInstant } from '../../../schema/dsl/isDay';
import { isStorable } from '../../../schema/dsl/isStorable';
import { normalizeChoices } from '../../../schema/dsl/normalizeChoices';
import { problemsOf } from '../../../schema/dsl/rules';
import { normalizeJson } from '../../../schema/dsl/shapes';
import { runs } from '../../../schema/entities/runs';
import type { FieldProblem } from '../../context/errors';
import { isObject } from '../adapters/json';
import { isInFuture, runTimesProblem } from './runTimes';

type RunProblem = [field: string, problem: FieldProblem];

const writableFields = Object.keys(runs.fields).filter(
  (name) => name !== 'machine_id' && runs.fields[name as keyof typeof runs.fields].write !== false,
);
const fields: Readonly<Record<string, { kind: string; shape?: Parameters<typeof normalizeJson>[0] }>> = runs.fields;

/**
 * Returns a run with the given fields of `runs` and `map_id`, or its problems by field. Read-only fields and the
 * machine are ignored: the machine is that of the sender. Without `ended_at` the run ends at `deviceTime`, the time
 * of its report, or at `now` if the clock is ahead.
 */
export function readRun(
  json: unknown,
  { deviceTime, now }: { deviceTime: Date | undefined; now: Date },
): { values: Record<string, unknown> } | { problems: RunProblem[] } {
  if (!isObject(json)) return { problems: [['', { key: 'object' }]] };
  const { map_id: mapId = null, ...runFields } = json;
  const sentFields = Object.entries(runFields).filter(
    ([name]) => writableFields.includes(name) || !Object.hasOwn(fields, name),
  );
  const values = normalizeChoices(runs.fields, {
    ...(deviceTime && { ended_at: (isInFuture(deviceTime, now) ? now : deviceTime).toISOString() }),
    ...Object.fromEntries(sentFields.filter(([, value]) => value !== undefined && value !== null)),
  });
  const problems: RunProblem[] = [...problemsOf(runs, values, { fields: writableFields, side: 'server' })].flatMap(
    ([field, fieldProblems]) => fieldProblems.map((problem): RunProblem => [field, problem]),
  );
  if (mapId !== null && (typeof mapId !== 'string' || mapId.length > 200)) problems.push(['map_id', { key: 'text' }]);
  else if (mapId !== null && !isStorable(mapId)) problems.push(['map_id', { key: 'control_characters' }]);
  if (problems.length > 0) return { problems };
  const [start, end] = [values.started_at, values.ended_at].map(parseInstant);
  const timesProblem = runTimesProblem(start as Date, end as Date, now);
  if (timesProblem) return { problems: [[timesProblem[0], { text: timesProblem[1] }]] };
  return { values: { ...normalizeValues(values), ...(mapId !== null && { map_id: mapId }) } };
}

const normalizeValues = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { kind, shape } = fields[name] ?? {};
      if (kind === 'json' && shape) return [name, normalizeJson(shape, value)];
      return [name, kind === 'instant' ? parseInstant(value)?.toISOString() : value];
    }),
  );
