import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Clock,
  diffSegments,
  extendTimeline,
  type ObservationNeighbourhood,
  type OfflinePolicyPeriod,
  rebuildAround,
  type Segment,
  selectEffectiveObservations,
  type TimelineObservation,
  timeline,
  toEpochSeconds,
} from '../../server/telemetry/timeline/timeline';

const start = Date.UTC(2026, 2, 28);
const timeAfter = (seconds: number) => new Date(start + seconds * 1000);

const anyObservation = (range = 40_000): fc.Arbitrary<TimelineObservation> =>
  fc.record({
    at: fc.integer({ min: 0, max: range * 1000 }).map((ms) => new Date(start + ms)),
    kind: fc.constantFrom('message', 'state'),
    state: fc.constantFrom('Online', 'Parked', 'Charging', 'Cleaning'),
    reason: fc.constantFrom('message', 'parked', 'charging', 'cleaning'),
    mode: fc.constantFrom('robotic', 'manual', 'teaching', null),
    silence: fc.constantFrom(90, 600),
    limited: fc.boolean(),
  }) as fc.Arbitrary<TimelineObservation>;

/** Observations as the database stores them: one per time and kind. */
const anyObservations = (range?: number) =>
  fc.uniqueArray(anyObservation(range), {
    maxLength: 60,
    selector: (observation) => `${observation.at.getTime()} ${observation.kind}`,
  });
const now = fc.integer({ min: 40_000, max: 60_000 }).map(timeAfter);

/** A clock without offline policies. */
const clockAt = (now: Date): Clock => ({ now, policies: [] });

/** Returns what the database would for each new observation: its neighbours among all stored ones. */
function neighbours(
  observations: readonly TimelineObservation[],
  newObservations: readonly TimelineObservation[],
): ObservationNeighbourhood[] {
  const effectiveObservations = selectEffectiveObservations(observations);
  const seconds = [...new Set(newObservations.map((observation) => toEpochSeconds(observation.at)))];
  return seconds.map((instant) => {
    const index = effectiveObservations.findIndex((observation) => toEpochSeconds(observation.at) === instant);
    return {
      before: effectiveObservations[index - 1],
      observation: effectiveObservations[index] as TimelineObservation,
      after: effectiveObservations[index + 1],
    };
  });
}

describe('the timeline of a machine', () => {
  it('has no gap and no overlap, begins with the first observation and stays open', () => {
    fc.assert(
      fc.property(fc.array(anyObservation(), { minLength: 1 }), now, (observations, clock) => {
        const segments = timeline(observations, clockAt(clock));
        expect(segments[0]?.from).toBe(Math.min(...observations.map((observation) => toEpochSeconds(observation.at))));
        expect(segments.at(-1)?.to).toBeNull();
        for (const [index, segment] of segments.entries()) {
          if (index > 0) expect(segments[index - 1]?.to).toBe(segment.from);
          if (segment.to !== null) expect(segment.to).toBeGreaterThan(segment.from);
        }
      }),
    );
  });

  it('is the same for any order of arrival and any repetition', () => {
    fc.assert(
      fc.property(
        fc.array(anyObservation(500), { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.nat()),
        now,
        (observations, numbers, clock) => {
          const duplicates = observations.filter(() => (numbers.next().value as number) % 2 === 0);
          const shuffledObservations = [...observations, ...duplicates]
            .map((observation) => ({ observation, key: numbers.next().value as number }))
            .sort((a, b) => a.key - b.key);
          expect(
            timeline(
              shuffledObservations.map(({ observation }) => observation),
              clockAt(clock),
            ),
          ).toEqual(timeline(observations, clockAt(clock)));
        },
      ),
    );
  });

  it('equals one computed from scratch if it is rebuilt batch by batch', () => {
    fc.assert(
      fc.property(
        anyObservations(5000),
        fc.array(fc.integer({ min: 1, max: 9 })),
        now,
        (observations, sizes, clock) => {
          const presentObservations: TimelineObservation[] = [];
          let segments: Segment[] = [];
          const remaining = [...observations];
          for (let round = 0; remaining.length > 0; round += 1) {
            const batch = remaining.splice(0, sizes[round % Math.max(1, sizes.length)] ?? 1);
            presentObservations.push(...batch);
            segments = rebuildAround(segments, neighbours(presentObservations, batch), clockAt(clock));
            expect(segments).toEqual(timeline(presentObservations, clockAt(clock)));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('equals one computed from scratch if it is extended by newer observations', () => {
    fc.assert(
      fc.property(anyObservations(5000), fc.nat(), now, (observations, splitAt, clock) => {
        const inOrder = selectEffectiveObservations(observations);
        fc.pre(inOrder.length > 1);
        const earlierObservations = inOrder.slice(0, 1 + (splitAt % (inOrder.length - 1)));
        const last = earlierObservations.at(-1) as TimelineObservation;
        const newerObservations = observations.filter(
          (observation) => toEpochSeconds(observation.at) > toEpochSeconds(last.at),
        );
        const storedSegments = timeline(earlierObservations, clockAt(clock));
        const index = storedSegments.findLastIndex(({ from }) => from <= toEpochSeconds(last.at));
        const extendedTimeline = extendTimeline(
          storedSegments[index] as Segment,
          last,
          newerObservations,
          clockAt(clock),
        );
        expect([...storedSegments.slice(0, index), ...extendedTimeline]).toEqual(
          timeline(observations, clockAt(clock)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('changes only segments around a late observation', () => {
    const observations = [0, 60, 120, 180].map(
      (seconds): TimelineObservation => ({
        at: timeAfter(seconds),
        kind: 'message',
        state: 'Parked',
        reason: 'parked',
        mode: null,
        silence: 600,
        limited: true,
      }),
    );
    const lateObservation: TimelineObservation = {
      at: timeAfter(90),
      kind: 'message',
      state: 'Cleaning',
      reason: 'cleaning',
      mode: 'robotic',
      silence: 600,
      limited: true,
    };
    const segmentsBefore = timeline(observations, clockAt(timeAfter(200)));
    const rebuiltTimeline = rebuildAround(
      segmentsBefore,
      neighbours([...observations, lateObservation], [lateObservation]),
      clockAt(timeAfter(200)),
    );
    expect(
      rebuiltTimeline.map(({ state, from, to }) => [
        state,
        from - start / 1000,
        to === null ? null : to - start / 1000,
      ]),
    ).toEqual([
      ['Parked', 0, 90],
      ['Cleaning', 90, 120],
      ['Parked', 120, null],
    ]);
    expect(diffSegments(segmentsBefore, rebuiltTimeline)).toEqual({ removed: segmentsBefore, added: rebuiltTimeline });
    expect(diffSegments(rebuiltTimeline, rebuiltTimeline)).toEqual({ removed: [], added: [] });
  });

  it('is Offline once a gap exceeds the policy, with the time of the last message', () => {
    const first: TimelineObservation = {
      at: timeAfter(0),
      kind: 'message',
      state: 'Cleaning',
      reason: 'cleaning',
      mode: 'robotic',
      silence: 600,
      limited: true,
    };
    expect(timeline([first], clockAt(timeAfter(599))).map(({ state }) => state)).toEqual(['Cleaning']);
    expect(timeline([first], clockAt(timeAfter(600)))).toEqual([
      {
        from: start / 1000,
        to: start / 1000 + 600,
        state: 'Cleaning',
        mode: 'robotic',
        reason: 'cleaning',
        reasonAt: start,
      },
      { from: start / 1000 + 600, to: null, state: 'Offline', mode: null, reason: 'silent', reasonAt: start },
    ]);
    expect(
      timeline([first, { ...first, at: timeAfter(600) }], clockAt(timeAfter(601))).map(({ state }) => state),
    ).toEqual(['Cleaning']);
    expect(
      timeline([first, { ...first, at: timeAfter(601) }], clockAt(timeAfter(602))).map(({ state, from, to }) => [
        state,
        from - start / 1000,
        to && to - start / 1000,
      ]),
    ).toEqual([
      ['Cleaning', 0, 600],
      ['Offline', 600, 601],
      ['Cleaning', 601, null],
    ]);
  });

  it('applies the policy at the end of a past gap to that gap, and the current policy to the current gap', () => {
    const first: TimelineObservation = {
      at: timeAfter(0),
      kind: 'message',
      state: 'Cleaning',
      reason: 'cleaning',
      mode: 'robotic',
      silence: 600,
      limited: true,
    };
    const second = { ...first, at: timeAfter(1000) };
    const statesOf = (
      observations: readonly TimelineObservation[],
      now: number,
      limits: readonly OfflinePolicyPeriod[],
    ) =>
      timeline(observations, {
        now: timeAfter(now),
        policies: limits.map(({ from, seconds }) => ({ from: start / 1000 + from, seconds })),
      }).map(({ state, from }) => [state, from - start / 1000]);
    const offlineAfter = (seconds: number) => [
      ['Cleaning', 0],
      ['Offline', seconds],
    ];
    expect(statesOf([first], 500, [{ from: 400, seconds: 120 }])).toEqual(offlineAfter(120));
    expect(statesOf([first], 900, [{ from: 800, seconds: 3600 }])).toEqual([['Cleaning', 0]]);
    expect(statesOf([first, second], 1100, [{ from: 1001, seconds: 120 }])).toEqual([
      ...offlineAfter(600),
      ['Cleaning', 1000],
    ]);
    expect(statesOf([first, second], 1100, [{ from: 1000, seconds: 120 }])).toEqual([
      ...offlineAfter(120),
      ['Cleaning', 1000],
    ]);
    const repeatedlyChangedPolicy = [
      { from: 900, seconds: 120 },
      { from: 1050, seconds: null },
    ];
    expect(statesOf([first, second], 1500, repeatedlyChangedPolicy)).toEqual([
      ...offlineAfter(120),
      ['Cleaning', 1000],
    ]);
    expect(statesOf([{ ...first, limited: false }], 599, [{ from: 400, seconds: 120 }])).toEqual([['Cleaning', 0]]);
  });

  it('equals one computed from scratch if it is rebuilt step by step while policies change', () => {
    const limit = fc.record({ limit: fc.constantFrom(30, 300, 1200, null) });
    const round = fc.record({
      elapsed: fc.integer({ min: 0, max: 900 }),
      change: fc.oneof(anyObservations(4000), limit),
    });
    fc.assert(
      fc.property(fc.array(round, { minLength: 2, maxLength: 8 }), (rounds) => {
        const presentObservations: TimelineObservation[] = [];
        const limits: OfflinePolicyPeriod[] = [];
        let segments: Segment[] = [];
        let now = 1000;
        for (const { elapsed, change } of rounds) {
          now += elapsed;
          const clock = { now: timeAfter(now), policies: limits };
          const applyAdded = (newObservations: readonly TimelineObservation[]) => {
            segments = rebuildAround(
              segments,
              neighbours(presentObservations, [
                ...newObservations,
                ...selectEffectiveObservations(presentObservations).slice(-1),
              ]),
              clock,
            );
          };
          if ('limit' in change) {
            const from = toEpochSeconds(timeAfter(now));
            if (limits.at(-1)?.from === from) limits.pop();
            limits.push({ from, seconds: change.limit });
            applyAdded(presentObservations.filter((observation) => toEpochSeconds(observation.at) >= from));
          } else {
            // Clocks of devices may be ahead by five minutes, and devices send each value of one time once.
            const newObservations = change.filter(
              (observation) =>
                toEpochSeconds(observation.at) <= toEpochSeconds(timeAfter(now + 300)) &&
                !presentObservations.some(
                  (observationBefore) => observationBefore.at.getTime() === observation.at.getTime(),
                ),
            );
            presentObservations.push(...newObservations);
            applyAdded(newObservations);
          }
          expect(segments).toEqual(timeline(presentObservations, clock));
        }
      }),
      { numRuns: 300 },
    );
  });
});
