/** Reads a vendor's message and finds its machines. Returns what can be stored, and the problems of the rest. */
import { registry } from '../../../schema';
import { type MessageMapping, sectionTargets } from '../../../schema/dsl/messageMapping';
import { problemsOf } from '../../../schema/dsl/rules';
import { mappingPresets } from '../../../schema/shared/mappingPresets';
import type { FieldProblem } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { buildKeyMap } from '../../telemetry/adapters/buildKeyMap';
import { readOwn } from '../../telemetry/adapters/readOwn';
import { runTimesProblem } from '../../telemetry/runs/runTimes';
import type { Message } from '../../telemetry/timeline/observation';
import type { VendorIntegration } from './findIntegration';
import { findVendorMachines, type VendorMachine } from './findVendorMachines';
import { type MappedItem, mapMessage, maxMessageItems } from './mapMessage';

/** Returns the integration's own mapping, unless it is empty, else that of its preset. */
const effectiveMapping = ({ preset, mapping }: Pick<VendorIntegration, 'preset' | 'mapping'>): MessageMapping =>
  mapping && Object.keys(mapping).length > 0 ? mapping : mappingPresets[preset];

/** Why a message, or an object in it, cannot be stored. `field` is one of a run or, for states, of a machine. */
export interface MessageReason {
  kind?: MappedItem['kind'];
  index?: number;
  field: string;
  problem: FieldProblem;
}

/** A run or state of a message, with its machine. */
export interface VendorItem extends Omit<MappedItem, 'problems'> {
  vendorMachine?: VendorMachine;
  /** Observation of a state without problems. */
  observation?: Message;
  reasons: MessageReason[];
}

export interface VendorMessage {
  items: VendorItem[];
  ignored: number;
  /** Problem of the message as a whole. */
  reasons: MessageReason[];
}

/** Stores nothing, so that it also serves as a preview. */
export async function readVendorMessage(
  db: Queries,
  integration: VendorIntegration,
  { message, now }: { message: unknown; now: Date },
): Promise<VendorMessage> {
  const { items, ignored, isTooLong } = mapMessage(message, effectiveMapping(integration));
  const serials = items.flatMap(({ machine }) => machine ?? []);
  const machines = serials.length === 0 ? undefined : await findVendorMachines(db, integration.clientId, serials);
  const results = items.map((item) => readItem(item, { vendorMachine: machines?.get(item.machine ?? ''), now }));
  const messageProblem: FieldProblem | undefined = isTooLong
    ? { key: 'max_entries', values: { max: maxMessageItems } }
    : items.length + ignored === 0
      ? { text: 'nothing_fits' }
      : undefined;
  return { items: results, ignored, reasons: messageProblem ? [{ field: 'message', problem: messageProblem }] : [] };
}

function readItem(
  { problems, ...item }: MappedItem,
  { vendorMachine, now }: { vendorMachine: VendorMachine | undefined; now: Date },
): VendorItem {
  const { kind, index, machine, values } = item;
  const fieldProblems = new Map<string, FieldProblem>(problems.map(({ field, ...problem }) => [field, problem]));
  if (machine === undefined) {
    if (!fieldProblems.has('machine_id')) fieldProblems.set('machine_id', { key: 'required' });
  } else if (!vendorMachine)
    fieldProblems.set('machine_id', { text: 'vendor_machine_unknown', values: { serial: machine } });
  else if (vendorMachine.isAmbiguous)
    fieldProblems.set('machine_id', { text: 'vendor_machine_ambiguous', values: { serial: machine } });
  const report = kind === 'states' ? readOwn(values, buildKeyMap(vendorMachine?.keyRules ?? [])) : undefined;
  const otherProblems = report ? ('problems' in report ? report.problems : []) : runProblems(values, now);
  for (const [field, problem] of otherProblems) if (!fieldProblems.has(field)) fieldProblems.set(field, problem);
  return {
    ...item,
    ...(vendorMachine && { vendorMachine }),
    ...(report && 'message' in report && fieldProblems.size === 0 && { observation: report.message }),
    reasons: [...fieldProblems].map(([field, problem]) => ({ kind, index, field, problem })),
  };
}

const runFields = [...Object.keys(sectionTargets.runs), 'outcome_raw', 'mode_raw'].filter(
  (name) => name !== 'reported_at',
);

/** Validates a run by the declaration, and its times. Returns the first problem of each field. */
function runProblems({ reported_at: _at, ...values }: Record<string, unknown>, now: Date): [string, FieldProblem][] {
  const problems = problemsOf(registry.runs, values, { fields: runFields, side: 'server' });
  const firstProblems = [...problems].flatMap(([field, [first]]): [string, FieldProblem][] =>
    first ? [[field, first]] : [],
  );
  if (problems.has('started_at') || problems.has('ended_at')) return firstProblems;
  const [start, end] = [values.started_at, values.ended_at].map((time) => new Date(time as string));
  const timesProblem = runTimesProblem(start as Date, end as Date, now);
  return timesProblem ? [...firstProblems, [timesProblem[0], { text: timesProblem[1] }]] : firstProblems;
}
