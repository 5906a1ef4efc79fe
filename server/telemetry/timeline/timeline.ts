/**
 * The timeline of a machine, the one source of truth for every time total, chart and daily figure (domain: "Machine
 * state").
 *
 * An observation holds until the next one, but not longer than silence is borne; what is left is Offline. How long it
 * is borne is said by the limit in force when the silence ended, while it lasts by the newest: so a change of the limit
 * is seen at once and leaves the past as it was. Pure, in whole seconds: any order of arrival and any duplicates of the
 * same observations give the same timeline.
 */
import type { StateName } from '../../../schema/entities/machines';
import type { Mode, OfflinePolicy, Reason } from './observation';

/** What the timeline needs of an observation. */
export interface TimelineObservation extends OfflinePolicy {
  at: Date;
  kind: string;
  state: StateName;
  reason: Reason;
  mode: Mode | null;
}

/** How long silence is borne from a moment on, as people have set it; `null`: as the observation says. */
export interface Limit {
  /** Seconds since 1970. */
  from: number;
  seconds: number | null;
}

/** By what silence is measured. */
export interface Clock {
  now: Date;
  /** In order of time. */
  limits: readonly Limit[];
}

export interface Segment {
  /** Seconds since 1970. */
  from: number;
  /** `null`: still open. */
  to: number | null;
  state: StateName;
  mode: Mode | null;
  reason: Reason;
  /** The moment that the reason speaks of, in milliseconds since 1970. */
  reasonAt: number;
}

export const second = (at: Date): number => Math.floor(at.getTime() / 1000);

/** The whole timeline from the first observation on, the last segment open; without observations there is none. */
export function timeline(seen: readonly TimelineObservation[], clock: Clock): Segment[] {
  const effective = effectiveOf(seen);
  return mergeAdjacent(effective.flatMap((one, index) => segmentsOfObservation(one, effective[index + 1]?.at, clock)));
}

/** One observation per second, in order: of several the last by time, then by kind. */
export function effectiveOf<S extends TimelineObservation>(seen: readonly S[]): S[] {
  const bySecond = new Map<number, S>();
  for (const one of seen) {
    const rival = bySecond.get(second(one.at));
    if (!rival || isAfter(one, rival)) bySecond.set(second(one.at), one);
  }
  return [...bySecond.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function isAfter(one: TimelineObservation, other: TimelineObservation): boolean {
  const [a, b] = [one, other].map(({ at, kind, state, mode, reason }) =>
    [String(at.getTime()).padStart(17, '0'), kind, state, mode, reason].join('\u0001'),
  );
  return (a as string) > (b as string);
}

/**
 * The second from which the machine is Offline by silence after an observation that is followed by one at `next`, or by
 * none yet.
 */
export function offlineAt(one: OfflinePolicy & { at: Date }, next: Date | undefined, limits: readonly Limit[]): number {
  const limit = one.limited ? (next ? limits.findLast(({ from }) => from <= second(next)) : limits.at(-1)) : undefined;
  return second(one.at) + (limit?.seconds ?? one.silence);
}

/** The segments that one observation accounts for: until the next one, Offline once silence lasted too long. */
export function segmentsOfObservation(
  one: TimelineObservation,
  next: Date | undefined,
  { now, limits }: Clock,
): Segment[] {
  const from = second(one.at);
  const silent = offlineAt(one, next, limits);
  const to = next ? second(next) : null;
  const said: Segment = { from, to, state: one.state, mode: one.mode, reason: one.reason, reasonAt: one.at.getTime() };
  // Whoever has been said to be Offline is not turned Offline once more by silence.
  if (one.state === 'Offline' || (to === null ? second(now) < silent : to <= silent)) return [said];
  return [
    { ...said, to: silent },
    { from: silent, to, state: 'Offline', mode: null, reason: 'silent', reasonAt: one.at.getTime() },
  ];
}

/** Neighbours of the same state and mode are one segment, which keeps the reason of the first. */
export function mergeAdjacent(segments: readonly Segment[]): Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    const last = out.at(-1);
    if (
      last &&
      last.to === segment.from &&
      last.state === segment.state &&
      last.mode === segment.mode &&
      sameReason(last, segment)
    ) {
      out[out.length - 1] = { ...last, to: segment.to };
    } else out.push(segment);
  }
  return out;
}

/** Two silences are two stories: the last message before each differs. */
const sameReason = (a: Segment, b: Segment) =>
  a.state !== 'Offline' || (a.reason === b.reason && a.reasonAt === b.reasonAt);

/** An observation between its neighbours in time. */
export interface ObservationNeighbourhood {
  before: TimelineObservation | undefined;
  one: TimelineObservation;
  after: TimelineObservation | undefined;
}

/**
 * The stored segments, told anew around observations that have come in: nothing is read or changed but the stretches
 * that these touch.
 * `stored` holds at least every segment that overlaps or touches one of them; the result is what a telling from scratch
 * would give.
 */
export function rebuildAround(
  stored: readonly Segment[],
  news: readonly ObservationNeighbourhood[],
  clock: Clock,
): Segment[] {
  const inOrder = [...news].sort((a, b) => a.one.at.getTime() - b.one.at.getTime());
  return inOrder.reduce<readonly Segment[]>((told, { before, one, after }) => {
    const fresh = [
      ...(before ? segmentsOfObservation(before, one.at, clock) : []),
      ...segmentsOfObservation(one, after?.at, clock),
    ];
    return replaced(told, fresh, after);
  }, stored) as Segment[];
}

/**
 * `fresh` in place of what was told between its first and its last second; what follows begins with the observation
 * `after`.
 */
function replaced(
  told: readonly Segment[],
  fresh: readonly Segment[],
  after: TimelineObservation | undefined,
): Segment[] {
  const from = (fresh[0] as Segment).from;
  const to = (fresh.at(-1) as Segment).to;
  const kept = told
    .filter((segment) => segment.from < from)
    .map((segment) => ({ ...segment, to: Math.min(segment.to ?? from, from) }));
  if (to === null || !after) return mergeAdjacent([...kept, ...fresh]);
  const rest = told
    .filter((segment) => segment.to === null || segment.to > to)
    .map((segment) =>
      segment.from < to ? { ...segment, from: to, reason: after.reason, reasonAt: after.at.getTime() } : segment,
    );
  return mergeAdjacent([...kept, ...fresh, ...rest]);
}

/**
 * The stored segments without what was told before the first observation that is left, which is `first`; what was there
 * before `from` holds until then.
 */
export function withoutLeading(
  told: readonly Segment[],
  from: number,
  first: TimelineObservation | undefined,
): Segment[] {
  const to = first ? second(first.at) : null;
  const kept = told.filter((segment) => segment.from < from);
  const last = kept.at(-1);
  if (last) kept[kept.length - 1] = { ...last, to };
  if (to === null || !first) return kept;
  const rest = told
    .filter((segment) => segment.from >= from && (segment.to === null || segment.to > to))
    .map((segment) =>
      segment.from < to ? { ...segment, from: to, reason: first.reason, reasonAt: first.at.getTime() } : segment,
    );
  return mergeAdjacent([...kept, ...rest]);
}

const same = (a: Segment, b: Segment) =>
  a.from === b.from &&
  a.to === b.to &&
  a.state === b.state &&
  a.mode === b.mode &&
  a.reason === b.reason &&
  a.reasonAt === b.reasonAt;

/** What to remove and what to write so that `before` becomes `after`. */
export function diffSegments(
  before: readonly Segment[],
  after: readonly Segment[],
): { gone: Segment[]; come: Segment[] } {
  const lacking = (from: readonly Segment[], among: readonly Segment[]) =>
    from.filter((segment) => !among.some((other) => same(segment, other)));
  return { gone: lacking(before, after), come: lacking(after, before) };
}
