/** Runs derived from a timeline: deterministic, and every second of cleaning counts exactly once. */
import { describe, expect, it } from 'vitest';
import type { StateName } from '../../schema/entities/machines';
import { deriveRuns, type LocationStay, type RunSegment } from '../../server/telemetry/runs/deriveRuns';
import { seededRandom, shuffle } from '../support/seededRandom';

const states: readonly StateName[] = ['Cleaning', 'Parked', 'Charging', 'Offline', 'Online'];

/** A timeline without gaps or overlaps, whose last segment is open. */
function randomTimeline(random: () => number): RunSegment[] {
  let second = 1_700_000_000;
  const length = 2 + Math.floor(random() * 40);
  return Array.from({ length }, (_, index) => {
    const from = second;
    second += 1 + Math.floor(random() ** 3 * 4000);
    const state = states[Math.floor(random() * states.length)] as StateName;
    return { from, to: index === length - 1 ? null : second, state };
  });
}

function randomStays(random: () => number, segments: readonly RunSegment[]): LocationStay[] {
  const end = segments.at(-1)?.from as number;
  const moves = Array.from(
    { length: Math.floor(random() * 4) },
    () => 1_700_000_000 + random() * (end - 1_700_000_000),
  );
  const edges = [0, ...moves.map(Math.floor).sort((a, b) => a - b)];
  return edges.map((from, index) => ({ from, to: edges[index + 1] ?? null, location: 1 + (index % 2) }));
}

const cases = Array.from({ length: 300 }, (_, seed) => {
  const random = seededRandom(seed);
  const segments = randomTimeline(random);
  return { random, segments, stays: randomStays(random, segments), pauseLimit: 60 + Math.floor(random() * 1800) };
});

describe('runs of random timelines', () => {
  it('are the same for shuffled and repeated segments', () => {
    for (const { random, segments, ...context } of cases) {
      const runs = deriveRuns(segments, context);
      expect(deriveRuns(shuffle(segments, random), context)).toEqual(runs);
      expect(deriveRuns(shuffle([...segments, ...segments], random), context)).toEqual(runs);
    }
  });

  it('add up to all completed cleaning, to the second', () => {
    for (const { segments, ...context } of cases) {
      const cleaning = segments.reduce(
        (sum, { from, to, state }) => sum + (state === 'Cleaning' && to !== null ? to - from : 0),
        0,
      );
      const runs = deriveRuns(segments, context);
      expect(runs.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(cleaning);
      for (const { from, to, seconds, pauses } of runs)
        expect(seconds + pauses.reduce((sum, pause) => sum + pause.to - pause.from, 0)).toBe(to - from);
    }
  });

  it('never overlap, contain no pause as long as the limit, and are separated by at least the limit unless the machine was moved', () => {
    for (const { segments, ...context } of cases) {
      const runs = deriveRuns(segments, context);
      for (const [index, run] of runs.entries()) {
        for (const pause of run.pauses) expect(pause.to - pause.from).toBeLessThan(context.pauseLimit);
        const next = runs[index + 1];
        if (!next) continue;
        expect(next.from).toBeGreaterThanOrEqual(run.to);
        if (next.location === run.location) expect(next.from - run.to).toBeGreaterThanOrEqual(context.pauseLimit);
      }
    }
  });
});

describe('a run', () => {
  const context = { stays: [{ location: 7, from: 0, to: null }], pauseLimit: 900 };
  const cleaning = (from: number, to: number | null): RunSegment => ({ from, to, state: 'Cleaning' });

  it('spans a pause that is shorter than the limit, with its state', () => {
    const parked: RunSegment = { from: 100, to: 999, state: 'Parked' };
    expect(deriveRuns([cleaning(0, 100), parked, cleaning(999, 1200)], context)).toEqual([
      { from: 0, to: 1200, seconds: 301, location: 7, pauses: [{ from: 100, to: 999, states: ['Parked'] }] },
    ]);
  });

  it('ends with a pause as long as the limit', () => {
    const runs = deriveRuns([cleaning(0, 100), cleaning(1000, 1200)], context);
    expect(runs.map(({ from, to }) => [from, to])).toEqual([
      [0, 100],
      [1000, 1200],
    ]);
  });

  it('ends where the machine is moved to another location', () => {
    const stays = [
      { location: 7, from: 0, to: 60 },
      { location: 8, from: 60, to: null },
    ];
    const runs = deriveRuns([cleaning(0, 100)], { ...context, stays });
    expect(runs.map(({ from, to, location }) => [from, to, location])).toEqual([
      [0, 60, 7],
      [60, 100, 8],
    ]);
  });

  it('excludes cleaning in progress', () => {
    expect(deriveRuns([cleaning(0, 100), cleaning(200, null)], context)).toEqual([
      { from: 0, to: 100, seconds: 100, location: 7, pauses: [] },
    ]);
  });
});
