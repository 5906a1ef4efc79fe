/**
 * The common case of ingest: the messages of a machine are newer than everything stored for it. All consequences can
 * then be computed from its newest observation and last segments, without another query. The result equals that of
 * `insertMessages`.
 */
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { areaStep, counterSteps, distanceStep, isDistanceMark } from '../timeline/counters';
import type { Count, SignedInterval } from '../timeline/days';
import { intervalDelta, type TimelineChange } from '../timeline/intervalDelta';
import { findLocalDay, type ZonedInstant } from '../timeline/localDays';
import type { CounterMark } from '../timeline/neighbours';
import { type Mode, offlinePolicyAfter } from '../timeline/observation';
import {
  extendTimeline,
  isoOfSeconds,
  type Segment,
  type TimelineObservation,
  timeline,
  toEpochSeconds,
} from '../timeline/timeline';
import { latestValues } from './machineState';
import type { KnownMachine, NewestObservation } from './readMachines';
import { affectsState, type RetainedMessage, type TimedMessage } from './storeMessages';

/** Messages of one machine that can be appended, ordered by time. */
export interface Append {
  machineId: number;
  machine: KnownMachine;
  messages: readonly TimedMessage[];
}

/** Returns the messages that can be appended, by machine. All others need `insertMessages`. */
export function findAppends(
  messages: readonly RetainedMessage[],
  machines: ReadonlyMap<number, KnownMachine>,
): Append[] {
  const appends: Append[] = [];
  for (const [machineId, machineMessages] of groupByMachine(messages.filter(({ isCounted }) => isCounted))) {
    const machine = machines.get(machineId);
    const sortedMessages = machineMessages.sort((a, b) => a.at.getTime() - b.at.getTime());
    if (machine && canAppend(machine, sortedMessages)) appends.push({ machineId, machine, messages: sortedMessages });
  }
  return appends;
}

function groupByMachine<T extends TimedMessage>(messages: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const message of messages) addToGroup(groups, message.machineId, message);
  return groups;
}

/**
 * Whether the messages depend on nothing but the newest observation, or are the first of the machine. `messages` must
 * not be empty.
 */
function canAppend({ newest, watch, segments }: KnownMachine, messages: readonly TimedMessage[]): boolean {
  let previous = Math.max(newest?.at.getTime() ?? 0, watch.lastSeen.getTime());
  for (const { at } of messages) {
    if (at.getTime() <= previous) return false;
    previous = at.getTime();
  }
  if (!newest) return segments.length === 0 && watch.observedSeconds === 0;
  const firstStateful = messages.find(affectsState);
  if (firstStateful) {
    const [currentSegment] = segments;
    const isStateFromNewest = affectsState({ message: newest }) && toEpochSeconds(newest.at) === watch.observedSeconds;
    if (
      !isStateFromNewest ||
      !currentSegment ||
      currentSegment.from > watch.observedSeconds ||
      toEpochSeconds(firstStateful.at) <= watch.observedSeconds
    )
      return false;
  }
  const marks = messages.map(markOf);
  return (isDistanceMark(newest) || !marks.some(isDistanceMark)) && (isAreaMark(newest) || !marks.some(isAreaMark));
}

const isAreaMark = ({ area_total }: Pick<CounterMark, 'area_total'>) => area_total !== null;

const markOf = ({ at, message }: TimedMessage): CounterMark => ({
  at,
  kind: message.kind,
  state: message.state,
  odometer: message.odometer,
  area_total: message.area_total,
  latitude: message.position?.latitude ?? null,
  longitude: message.position?.longitude ?? null,
  attributes: message.attributes,
  isNew: true,
});

/**
 * Values of a machine after an append. Undefined values stay as they are, and undefined sums are 0. They are absent
 * from the JSON, so that the database need not parse them for every message.
 */
export interface AppendPatch extends ReturnType<typeof latestValues>, DaySums {
  id: number;
  /** Undefined if `addToDays` adds the sums, because the messages span several local days. */
  day: string | undefined;
  status: string | undefined;
  status_since: string | undefined;
  mode: string | undefined;
}

/** Additions to a local day: seconds, square metres, metres. */
type DaySums = Partial<
  Record<
    Exclude<(typeof sumByState)[Segment['state']], undefined> | Mode | 'area_m2' | 'distance_m' | 'messages',
    number
  >
>;

/** Consequences of an append. */
export interface AppendPlan {
  machine: KnownMachine;
  patch: AppendPatch;
  /** Undefined if no message affects the state. */
  change: TimelineChange | undefined;
  intervals: readonly SignedInterval[];
  counts: readonly Count[];
}

/** Instant of the last message, in the time zone of the machine. */
export const lastInstantOf = ({ machine, messages }: Append): ZonedInstant => ({
  zone: machine.zone,
  at: toEpochSeconds((messages.at(-1) as TimedMessage).at),
});

/** Plans an append. The local day of its last message must be loaded. */
export function planAppend(append: Append, now: Date): AppendPlan {
  const { machineId, machine, messages } = append;
  const { watch } = machine;
  const change = timelineChangeOf(append, now);
  const openSegment = change?.segments.at(-1);
  const intervals = change ? intervalDelta(change).filter(({ state }) => state !== 'Offline') : [];
  const counts = countsOf(append);
  const day = findLocalDay(lastInstantOf(append));
  const times = [toEpochSeconds((messages[0] as TimedMessage).at), ...intervals.flatMap(({ from, to }) => [from, to])];
  const isOneDay = day !== undefined && times.every((time) => time >= day.start && time <= day.end);
  const patch = {
    id: machineId,
    day: isOneDay ? day.day : undefined,
    status: openSegment?.state,
    status_since: openSegment && isoOfSeconds(openSegment.from),
    mode: openSegment?.mode ?? undefined,
    ...latestValues(messages, openSegment, watch.policies),
    ...(isOneDay ? daySumsOf(intervals, counts) : {}),
  };
  return { machine, patch, change, intervals, counts };
}

function timelineChangeOf({ machineId, machine, messages }: Append, now: Date): TimelineChange | undefined {
  const { watch, segments, newest } = machine;
  const observations = messages.filter(affectsState).map(observationOf);
  const lastObservation = observations.at(-1);
  if (!lastObservation) return undefined;
  const [currentSegment] = segments;
  const clock = { now, policies: watch.policies };
  return {
    machineId,
    stored: segments,
    segments:
      newest && currentSegment
        ? extendTimeline(currentSegment, withPolicy(newest), observations, clock)
        : timeline(observations, clock),
    until: watch.observedSeconds,
    untilNow: toEpochSeconds(lastObservation.at),
  };
}

/** Additions to the daily sums: messages, areas and distances. */
function countsOf({ machineId, machine, messages }: Append): Count[] {
  const { newest } = machine;
  const marks = [...(newest ? [{ ...newest, isNew: false }] : []), ...messages.map(markOf)];
  return [
    ...messages.map(({ at, message }) => ({ machineId, at, area: message.area ?? 0, distance: 0, messages: 1 })),
    ...counterSteps(machineId, marks.filter(isAreaMark), areaStep, 'area'),
    ...counterSteps(machineId, marks.filter(isDistanceMark), distanceStep, 'distance'),
  ];
}

const withPolicy = <T extends Pick<NewestObservation, 'protocol' | 'reason'>>(observation: T) => ({
  ...observation,
  ...offlinePolicyAfter(observation),
});

const observationOf = ({ at, protocol, message: { kind, state, reason, mode } }: TimedMessage): TimelineObservation =>
  withPolicy({ at, kind, state, reason, mode, protocol });

const sumByState = {
  Offline: undefined,
  Cleaning: 'cleaning',
  Charging: 'charging',
  Parked: 'parked',
  Online: 'online',
} as const satisfies Record<Segment['state'], string | undefined>;

function daySumsOf(intervals: readonly SignedInterval[], counts: readonly Count[]): DaySums {
  const sums: DaySums = {};
  const add = (name: keyof DaySums | undefined | null, value: number) => {
    if (name && value !== 0) sums[name] = (sums[name] ?? 0) + value;
  };
  for (const { state, mode, from, to, sign } of intervals) {
    add(sumByState[state], sign * (to - from));
    add(mode, sign * (to - from));
  }
  for (const { area, distance, messages } of counts) {
    add('area_m2', area);
    add('distance_m', distance);
    add('messages', messages);
  }
  return sums;
}
