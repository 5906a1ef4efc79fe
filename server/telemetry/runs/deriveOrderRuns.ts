/**
 * Derives runs of VDA 5050 orders from the states of a vehicle. A run begins with the first cleaning of an order and
 * ends with the first state in which the order has no steps left, or with another order. An order in progress is not a
 * run yet. Pure, in whole seconds: the same states give the same runs, in any sequence and with any duplicates; runs
 * never overlap.
 */
import { type Interruption, shapeLimits } from '../../../schema/dsl/shapes';
import { truncate } from '../adapters/requireStorable';
import { errorLevel } from '../adapters/vda5050Details';
import { orderAttributes } from '../adapters/vda5050Order';
import { distanceStep, isDistanceMark } from '../timeline/counters';
import type { MarkValues } from '../timeline/neighbours';
import { toEpochSeconds } from '../timeline/timeline';

export interface OrderState extends MarkValues {
  battery: number | null;
  error: string | null;
  message: string | null;
}

export interface OrderRun {
  orderId: string;
  /** Seconds since 1970. */
  from: number;
  to: number;
  outcome: 'completed' | 'partial' | 'aborted' | 'failed';
  outcomeRaw: string | null;
  /** Type of the cleaning action. */
  action: string | null;
  /** Metres; null if the vehicle does not say. */
  distance: number | null;
  batteryStart: number | null;
  batteryEnd: number | null;
  /** The map on which the vehicle was most of the time. */
  mapId: string | null;
  interruptions: Interruption[];
}

type States = readonly [OrderState, ...OrderState[]];

const textAttribute = ({ attributes }: OrderState, name: string): string | null => {
  const value = attributes?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
};
const numberAttribute = ({ attributes }: OrderState, name: string): number => Number(attributes?.[name] ?? 0);

const orderIdOf = (state: OrderState): string | null => textAttribute(state, 'orderId');
const isActive = (state: OrderState) => numberAttribute(state, orderAttributes.left) > 0;

export function deriveOrderRuns(states: readonly OrderState[]): OrderRun[] {
  const sortedStates = [...new Map(states.map((state) => [state.at.getTime(), state])).values()].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  const groups = groupBy(sortedStates, (state, last) => orderIdOf(state) === orderIdOf(last));
  return groups.flatMap((group, index) => runsOfOrder(group, groups[index + 1]?.[0]));
}

/** Splits a list wherever `isSame` is false for two neighbours. */
function groupBy(states: readonly OrderState[], isSame: (state: OrderState, last: OrderState) => boolean): States[] {
  const groups: [OrderState, ...OrderState[]][] = [];
  for (const state of states) {
    const last = groups.at(-1)?.at(-1);
    if (last && isSame(state, last)) groups.at(-1)?.push(state);
    else groups.push([state]);
  }
  return groups;
}

/** Runs of the states of one order; `next` is the first state of another order. */
function runsOfOrder(group: States, next: OrderState | undefined): OrderRun[] {
  const orderId = orderIdOf(group[0]);
  if (orderId === null) return [];
  // The first state without remaining steps ends a stretch and belongs to it.
  const stretches = groupBy(group, (_, last) => isActive(last));
  return stretches.flatMap((stretch): OrderRun[] => {
    const start = stretch.findIndex(({ state }) => state === 'Cleaning');
    const last = stretch.at(-1) as OrderState;
    const isReplaced = isActive(last);
    const end = isReplaced ? next : last;
    if (start === -1 || !end || toEpochSeconds(end.at) <= toEpochSeconds((stretch[start] as OrderState).at)) return [];
    const runStates = stretch.slice(start) as unknown as States;
    const wasCancelled = group[0].attributes?.[orderAttributes.cancelled] === true;
    return [{ orderId, ...figuresOf(runStates, end), ...outcomeOf(last, { isReplaced, wasCancelled }) }];
  });
}

/** `wasCancelled`: the previous order was cancelled, and the vehicle still reports it. */
function outcomeOf(
  last: OrderState,
  { isReplaced, wasCancelled }: { isReplaced: boolean; wasCancelled: boolean },
): Pick<OrderRun, 'outcome' | 'outcomeRaw'> {
  const [finishedCount, failedCount] = [
    numberAttribute(last, orderAttributes.finished),
    numberAttribute(last, orderAttributes.failed),
  ];
  if (!wasCancelled && last.attributes?.[orderAttributes.cancelled] === true)
    return { outcome: 'aborted', outcomeRaw: 'cancelOrder' };
  if (isReplaced) return { outcome: 'aborted', outcomeRaw: 'replaced' };
  if (failedCount > 0) return { outcome: finishedCount > 0 ? 'partial' : 'failed', outcomeRaw: 'FAILED' };
  if (finishedCount === 0 && isSevere(last)) return { outcome: 'failed', outcomeRaw: last.error };
  return { outcome: 'completed', outcomeRaw: finishedCount > 0 ? 'FINISHED' : null };
}

function figuresOf(states: States, end: OrderState): Omit<OrderRun, 'orderId' | 'outcome' | 'outcomeRaw'> {
  const batteries = states.flatMap(({ battery }) => (battery === null ? [] : [battery]));
  const marks = states.filter(isDistanceMark);
  const steps = marks.slice(1).map((mark, index) => distanceStep(marks[index] as OrderState, mark));
  return {
    from: toEpochSeconds(states[0].at),
    to: toEpochSeconds(end.at),
    action:
      states.map((state) => textAttribute(state, orderAttributes.action)).find((action) => action !== null) ?? null,
    distance: steps.length === 0 ? null : Math.round(steps.reduce((sum, step) => sum + step, 0) * 100) / 100,
    batteryStart: batteries[0] ?? null,
    batteryEnd: batteries.at(-1) ?? null,
    mapId: mostFrequent(states.flatMap((state) => mapIdOf(state) ?? [])),
    interruptions: interruptionsOf(states, end).slice(0, shapeLimits.interruptions),
  };
}

const mapIdOf = (state: OrderState) =>
  textAttribute(state, 'agvPosition.mapId') ?? textAttribute(state, 'mobileRobotPosition.mapId');

function mostFrequent(names: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [first] = [...counts].sort(([a, count], [b, otherCount]) => otherCount - count || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

/**
 * One interruption per stretch of one reason. The first state without the reason resolves it; null if the run ended
 * with it.
 */
function interruptionsOf(states: States, end: OrderState): Interruption[] {
  const stretches = groupBy(states, (state, last) => reasonOf(state) === reasonOf(last));
  return stretches.flatMap(([first], index) => {
    const reason = reasonOf(first);
    const next = stretches[index + 1]?.[0] ?? (reasonOf(end) === reason ? undefined : end);
    return reason === null ? [] : [{ at: iso(first.at), reason, resolved_at: next ? iso(next.at) : null }];
  });
}

const iso = (instant: Date) => instant.toISOString();

/** Errors above the level of a warning: with a warning, a vehicle continues. */
const isSevere = (state: OrderState) => state.error !== null && textAttribute(state, errorLevel) !== 'WARNING';
const emergencyStops = ['safetyState.eStop', 'safetyState.activeEmergencyStop'];

/**
 * Why the vehicle cannot continue by itself, in its own words; null if it can. A warning counts only while the vehicle
 * does not clean.
 */
function reasonOf(state: OrderState): string | null {
  if (state.error !== null && (isSevere(state) || state.state !== 'Cleaning'))
    return truncate([state.error, state.message].filter(Boolean).join(': '), shapeLimits.words);
  const stop = emergencyStops
    .map((name) => textAttribute(state, name))
    .find((value) => value !== null && value !== 'NONE');
  if (stop) return truncate(`eStop ${stop}`, shapeLimits.words);
  if (state.attributes?.['safetyState.fieldViolation'] === true) return 'fieldViolation';
  if (state.attributes?.paused === true) return 'paused';
  const mode = textAttribute(state, 'operatingMode');
  return mode === null || automaticModes.includes(mode) ? null : truncate(mode, shapeLimits.words);
}

/** Modes in which the vehicle carries out its order; in the second one a person sets the speed. */
const automaticModes = ['AUTOMATIC', 'SEMIAUTOMATIC'];
