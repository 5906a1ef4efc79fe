/**
 * The timeline of a machine: the single source of every time total, chart and daily sum.
 *
 * An observation holds until the next one, but at most as long as the offline policy allows; the rest is Offline. An
 * ended silence follows the policy in force when it ended, an ongoing one the latest policy: a change takes effect at
 * once and leaves the past as it was. Pure, in whole seconds: the same observations give the same timeline, in any
 * order and with any duplicates.
 */
import type { StateName } from '../../../schema/entities/machines';
import type { Mode, OfflinePolicy, Reason } from './observation';

/** The part of an observation that determines the timeline. */
export interface TimelineObservation extends OfflinePolicy {
  at: Date;
  kind: string;
  state: StateName;
  reason: Reason;
  mode: Mode | null;
}

/** Silence limit set by people, in force since `from`; `null`: the protocol's applies. */
export interface OfflinePolicyPeriod {
  /** Seconds since 1970. */
  from: number;
  seconds: number | null;
}

/** Present time and policies by which silence is measured. */
export interface Clock {
  now: Date;
  /** Ordered by time. */
  policies: readonly OfflinePolicyPeriod[];
}

export interface Segment {
  /** Seconds since 1970. */
  from: number;
  /** `null`: still open. */
  to: number | null;
  state: StateName;
  mode: Mode | null;
  reason: Reason;
  /** Time that the reason refers to, in milliseconds since 1970. */
  reasonAt: number;
}

/** ISO 8601 of seconds since 1970. */
export const isoOfSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Seconds since 1970, rounded down. */
export const toEpochSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** Computes the whole timeline from the first observation on. The last segment is open. Empty without observations. */
export function timeline(observations: readonly TimelineObservation[], clock: Clock): Segment[] {
  const effectiveObservations = selectEffectiveObservations(observations);
  return mergeAdjacent(
    effectiveObservations.flatMap((observation, index) =>
      segmentsOfObservation(observation, effectiveObservations[index + 1]?.at, clock),
    ),
  );
}

/** At most one observation per second, in order: the last by time, then by kind. */
export function selectEffectiveObservations<S extends TimelineObservation>(observations: readonly S[]): S[] {
  const bySecond = new Map<number, S>();
  for (const observation of observations) {
    const latestInSecond = bySecond.get(toEpochSeconds(observation.at));
    if (!latestInSecond || isAfter(observation, latestInSecond))
      bySecond.set(toEpochSeconds(observation.at), observation);
  }
  return [...bySecond.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function isAfter(observation: TimelineObservation, other: TimelineObservation): boolean {
  const [a, b] = [observation, other].map(({ at, kind, state, mode, reason }) =>
    [String(at.getTime()).padStart(17, '0'), kind, state, mode, reason].join('\u0001'),
  );
  return (a as string) > (b as string);
}

/**
 * Second from which the machine is Offline for silence after an observation; `next` is the time of the following one,
 * if any.
 */
export function offlineAt(
  observation: OfflinePolicy & { at: Date },
  next: Date | undefined,
  policies: readonly OfflinePolicyPeriod[],
): number {
  const limit = observation.limited
    ? next
      ? policies.findLast(({ from }) => from <= toEpochSeconds(next))
      : policies.at(-1)
    : undefined;
  return toEpochSeconds(observation.at) + (limit?.seconds ?? observation.silence);
}

/** Segments of one observation: its own until the next observation, and Offline once silence exceeds the policy. */
export function segmentsOfObservation(
  observation: TimelineObservation,
  next: Date | undefined,
  { now, policies }: Clock,
): Segment[] {
  const from = toEpochSeconds(observation.at);
  const offlineFrom = offlineAt(observation, next, policies);
  const to = next ? toEpochSeconds(next) : null;
  const newSegment: Segment = {
    from,
    to,
    state: observation.state,
    mode: observation.mode,
    reason: observation.reason,
    reasonAt: observation.at.getTime(),
  };
  // An Offline report is not turned Offline again by silence.
  if (observation.state === 'Offline' || (to === null ? toEpochSeconds(now) < offlineFrom : to <= offlineFrom))
    return [newSegment];
  return [
    { ...newSegment, to: offlineFrom },
    { from: offlineFrom, to, state: 'Offline', mode: null, reason: 'silent', reasonAt: observation.at.getTime() },
  ];
}

/** Merges neighbours of equal state and mode; the result keeps the first reason. */
export function mergeAdjacent(segments: readonly Segment[]): Segment[] {
  const mergedSegments: Segment[] = [];
  for (const segment of segments) {
    const last = mergedSegments.at(-1);
    if (
      last &&
      last.to === segment.from &&
      last.state === segment.state &&
      last.mode === segment.mode &&
      isSameReason(last, segment)
    ) {
      mergedSegments[mergedSegments.length - 1] = { ...last, to: segment.to };
    } else mergedSegments.push(segment);
  }
  return mergedSegments;
}

/** Separate silences stay separate: the last message before each differs. */
const isSameReason = (a: Segment, b: Segment) =>
  a.state !== 'Offline' || (a.reason === b.reason && a.reasonAt === b.reasonAt);

/**
 * Extends the timeline by observations newer than all before. `last` is the observation in force so far,
 * `currentSegment` the segment around its second. Returns the segments from `currentSegment` on; equals the end of
 * `timeline` of all observations.
 */
export function extendTimeline(
  currentSegment: Segment,
  last: TimelineObservation,
  newObservations: readonly TimelineObservation[],
  clock: Clock,
): Segment[] {
  const observations = [last, ...selectEffectiveObservations(newObservations)];
  const from = toEpochSeconds(last.at);
  return mergeAdjacent([
    ...(currentSegment.from < from ? [{ ...currentSegment, to: from }] : []),
    ...observations.flatMap((observation, index) =>
      segmentsOfObservation(observation, observations[index + 1]?.at, clock),
    ),
  ]);
}

/** An observation with its neighbours in time. */
export interface ObservationNeighbourhood {
  before: TimelineObservation | undefined;
  observation: TimelineObservation;
  after: TimelineObservation | undefined;
}

/**
 * Rebuilds the stored segments around changed observations; reads and changes only the ranges they touch. `stored` must
 * contain every segment that overlaps or touches such a range. The result equals `timeline` of all observations.
 */
export function rebuildAround(
  stored: readonly Segment[],
  changes: readonly ObservationNeighbourhood[],
  clock: Clock,
): Segment[] {
  const sortedChanges = [...changes].sort((a, b) => a.observation.at.getTime() - b.observation.at.getTime());
  return sortedChanges.reduce<readonly Segment[]>((segments, { before, observation, after }) => {
    const rebuiltSegments = [
      ...(before ? segmentsOfObservation(before, observation.at, clock) : []),
      ...segmentsOfObservation(observation, after?.at, clock),
    ];
    return replaceSpan(segments, rebuiltSegments, after);
  }, stored) as Segment[];
}

/** Replaces the segments within the time span of `rebuilt`; what follows starts with the observation `after`. */
function replaceSpan(
  segments: readonly Segment[],
  rebuiltSegments: readonly Segment[],
  after: TimelineObservation | undefined,
): Segment[] {
  const from = (rebuiltSegments[0] as Segment).from;
  const to = (rebuiltSegments.at(-1) as Segment).to;
  const earlierSegments = segments
    .filter((segment) => segment.from < from)
    .map((segment) => ({ ...segment, to: Math.min(segment.to ?? from, from) }));
  if (to === null || !after) return mergeAdjacent([...earlierSegments, ...rebuiltSegments]);
  const remainingSegments = segments
    .filter((segment) => segment.to === null || segment.to > to)
    .map((segment) =>
      segment.from < to ? { ...segment, from: to, reason: after.reason, reasonAt: after.at.getTime() } : segment,
    );
  return mergeAdjacent([...earlierSegments, ...rebuiltSegments, ...remainingSegments]);
}

/**
 * Drops the segments before `first`, the earliest remaining observation; the one in force before `from` is extended up
 * to it.
 */
export function withoutLeading(
  segments: readonly Segment[],
  from: number,
  first: TimelineObservation | undefined,
): Segment[] {
  const to = first ? toEpochSeconds(first.at) : null;
  const earlierSegments = segments.filter((segment) => segment.from < from);
  const last = earlierSegments.at(-1);
  if (last) earlierSegments[earlierSegments.length - 1] = { ...last, to };
  if (to === null || !first) return earlierSegments;
  const remainingSegments = segments
    .filter((segment) => segment.from >= from && (segment.to === null || segment.to > to))
    .map((segment) =>
      segment.from < to ? { ...segment, from: to, reason: first.reason, reasonAt: first.at.getTime() } : segment,
    );
  return mergeAdjacent([...earlierSegments, ...remainingSegments]);
}

const isSameSegment = (a: Segment, b: Segment) =>
  a.from === b.from &&
  a.to === b.to &&
  a.state === b.state &&
  a.mode === b.mode &&
  a.reason === b.reason &&
  a.reasonAt === b.reasonAt;

/** Segments to delete and to insert so that `before` becomes `after`. */
export function diffSegments(
  before: readonly Segment[],
  after: readonly Segment[],
): { removed: Segment[]; added: Segment[] } {
  const segmentsWithout = (from: readonly Segment[], others: readonly Segment[]) =>
    from.filter((segment) => !others.some((other) => isSameSegment(segment, other)));
  return { removed: segmentsWithout(before, after), added: segmentsWithout(after, before) };
}
