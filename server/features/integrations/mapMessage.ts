/** Extracts runs and states from a vendor's message by a mapping. Pure. */

import { registry } from '../../../schema';
import type { Problem } from '../../../schema/dsl/checks';
import { isObject } from '../../../schema/dsl/isObject';
import { isStorable } from '../../../schema/dsl/isStorable';
import { readPath } from '../../../schema/dsl/jsonPath';
import {
  interruptionTargets,
  type MappingSection,
  type MessageMapping,
  pathsOf,
  runTargets,
  type SourceText,
  sourceOf,
  stateTargets,
  type TargetKind,
} from '../../../schema/dsl/messageMapping';
import { normalizeChoices } from '../../../schema/dsl/normalizeChoices';
import {
  findValue,
  type MessageContext,
  parseCachedPath,
  readShares,
  readSource,
  type SourceReading,
} from './readSource';

/** Maximum number of objects per message. */
export const maxMessageItems = 1000;
/** Minimum cleaned share of the plan for `completed_or_partial` to become `completed`. */
const completeFrom = 0.9;

export interface MappingProblem extends Problem {
  /** Field of the run or observation; `machine_id` for the serial number. */
  field: string;
}

/** One run or state of a machine, in our field names. */
export interface MappedItem {
  kind: keyof MessageMapping;
  /** Position in the message, among objects of its kind. */
  index: number;
  /** The vendor's serial number. */
  machine?: string;
  values: Record<string, unknown>;
  problems: MappingProblem[];
}

export interface MappedMessage {
  items: MappedItem[];
  /** Number of objects that the mapping excludes. Without these and without items, nothing in the message matches. */
  ignored: number;
  /** Whether the message has more objects than `maxMessageItems`. In that case, none is read. */
  isTooLong: boolean;
}

export function mapMessage(root: unknown, mapping: MessageMapping): MappedMessage {
  const result: MappedMessage = { items: [], ignored: 0, isTooLong: false };
  for (const kind of ['runs', 'states'] as const) {
    const section = mapping[kind];
    if (!section) continue;
    const objects = findObjects(section, root);
    if (objects.length > maxMessageItems) return { items: [], ignored: 0, isTooLong: true };
    for (const [index, item] of objects.entries()) {
      const context = { root, item };
      if (!isPresent(kind, section, context)) continue;
      if (section.ignored && readSource(section.ignored, 'boolean', context).value === true) result.ignored += 1;
      else result.items.push(readItem(kind, section, { context, index }));
    }
  }
  return result;
}

/** Finds the objects at the first path that leads to any. A path to an array leads to its elements. */
function findObjects({ each = '$' }: MappingSection, root: unknown): unknown[] {
  for (const path of [each].flat()) {
    const objects = readPath(parseCachedPath(path), { root, item: root }).flat().filter(isObject);
    if (objects.length > 0) return objects;
  }
  return [];
}

/** Fields of which an object must have at least one to count as a run or a state. */
const identifyingFields: Record<keyof MessageMapping, readonly string[]> = {
  runs: ['external_id', 'started_at', 'ended_at', 'cleaned_area_m2'],
  states: Object.keys(stateTargets).filter((name) => name !== 'at'),
};

const isPresent = (kind: keyof MessageMapping, { fields }: MappingSection, context: MessageContext): boolean =>
  identifyingFields[kind].some((name) => fields[name] !== undefined && findValue(fields[name], context) !== undefined);

function readItem(
  kind: keyof MessageMapping,
  { machine, fields }: MappingSection,
  { context, index }: { context: MessageContext; index: number },
): MappedItem {
  const targets: Readonly<Record<string, TargetKind>> = kind === 'runs' ? runTargets : stateTargets;
  const values: Record<string, unknown> = {};
  const problems: MappingProblem[] = [];
  for (const [field, source] of Object.entries(fields)) {
    const { value, raw, problem } = readTarget(source, targets[field] as TargetKind, context);
    if (problem) problems.push({ field, ...problem });
    if (value !== undefined) values[field] = value;
    if (kind === 'runs' && raw !== undefined && (field === 'outcome' || field === 'mode'))
      values[`${field}_raw`] = raw.slice(0, 120);
  }
  if (kind === 'runs') completeRun(values);
  const serial = machine && readSource(machine, 'text', context).value;
  const serialText = serial === undefined ? undefined : String(serial).trim();
  const isReadable = serialText === undefined || isStorable(serialText);
  if (!isReadable) problems.push({ field: 'machine_id', key: 'control_characters' });
  return {
    kind,
    index,
    ...(serialText !== undefined && isReadable && { machine: serialText }),
    values: kind === 'runs' ? normalizeChoices(registry.runs.fields, values) : values,
    problems,
  };
}

function readTarget(source: SourceText, kind: TargetKind, context: MessageContext): SourceReading {
  if (kind === 'list') return readInterruptions(source, context);
  return kind === 'shares' ? readShares(source, context) : readSource(source, kind, context);
}

/** Adds values that follow from others: the end from the duration, and the id of a run without one from its start. */
function completeRun(values: Record<string, unknown>): void {
  const {
    started_at,
    ended_at,
    duration_s,
    outcome,
    planned_area_m2: plannedArea,
    cleaned_area_m2: cleanedArea,
  } = values;
  if (typeof started_at === 'string') {
    values.external_id ??= started_at;
    if (ended_at === undefined && typeof duration_s === 'number') {
      const end = new Date(Date.parse(started_at) + duration_s * 1000);
      // Beyond the range of dates, `toISOString` would throw.
      if (!Number.isNaN(end.getTime())) values.ended_at = end.toISOString();
    }
  }
  if (typeof duration_s === 'number') values.duration_s = Math.round(duration_s);
  if (outcome !== 'completed_or_partial') return;
  const isPartial =
    typeof plannedArea === 'number' &&
    typeof cleanedArea === 'number' &&
    plannedArea > 0 &&
    cleanedArea / plannedArea < completeFrom;
  values.outcome = isPartial ? 'partial' : 'completed';
}

function readInterruptions(sourceText: SourceText, { root, item }: MessageContext): SourceReading {
  const source = sourceOf(sourceText);
  const path = pathsOf(source).find((text) => readPath(parseCachedPath(text), { root, item }).length > 0);
  if (path === undefined) return {};
  const interruptions = readPath(parseCachedPath(path), { root, item })
    .flat()
    .flatMap((element) => {
      const context = { root, item: element };
      const readings = Object.entries(interruptionTargets).map(([name, kind]) => {
        const fieldSource = source.fields?.[name];
        return [
          name,
          fieldSource === undefined ? null : (readSource(fieldSource, kind, context).value ?? null),
        ] as const;
      });
      const interruption = Object.fromEntries(readings);
      return interruption.at === null ? [] : [interruption];
    });
  return { value: interruptions };
}
