/** Of two runs that report the same cleaning only one counts, regardless of their order. */
import { expect, test } from 'vitest';
import { type ComparableRun, findSupersededRuns } from '../../server/telemetry/runs/findSupersededRuns';
import { seededRandom, shuffle } from '../support/seededRandom';

const run = (id: number, from: number, to: number, values: Partial<ComparableRun> = {}): ComparableRun => ({
  id,
  machine: 1,
  source: 'reported',
  from,
  to,
  isOrder: false,
  hasArea: true,
  externalId: `run ${id}`,
  ...values,
});

test.each<[string, ComparableRun[], [number, number][]]>([
  ['runs one after the other', [run(1, 0, 100), run(2, 100, 200)], []],
  ['runs that overlap slightly', [run(1, 0, 100), run(2, 95, 200)], []],
  ['a long run and a short one within it', [run(1, 0, 1000), run(2, 100, 160)], [[2, 1]]],
  ['an overlap of half of the shorter run', [run(1, 0, 100), run(2, 80, 120)], [[2, 1]]],
  ['the same time on two machines', [run(1, 0, 100), run(2, 0, 100, { machine: 2 })], []],
  ['an order and a report', [run(1, 0, 100, { isOrder: true }), run(2, 3, 99)], [[1, 2]]],
  ['a report and an entered run', [run(1, 0, 100), run(2, 3, 99, { source: 'entered' })], [[1, 2]]],
  ['a report without an area', [run(1, 0, 100, { hasArea: false }), run(2, 3, 99)], [[1, 2]]],
  ['a run that overlaps only a superseded run', [run(1, 0, 100), run(2, 60, 130), run(3, 100, 190)], [[2, 1]]],
  ['runs without duration', [run(1, 0, 0), run(2, 0, 0)], []],
])('%s', (_, runs, expected) => {
  expect([...findSupersededRuns(runs)]).toEqual(expected);
});

test('gives the same result in any order, and counted runs overlap by less than half', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = seededRandom(seed);
    const runs = Array.from({ length: 20 }, (_, id) => {
      const from = Math.floor(random() * 1000);
      return run(id, from, from + 1 + Math.floor(random() * 200), { hasArea: random() < 0.5, isOrder: random() < 0.5 });
    });
    const supersededIds = findSupersededRuns(runs);
    expect(findSupersededRuns(shuffle(runs, random))).toEqual(supersededIds);
    const countedRuns = runs.filter(({ id }) => !supersededIds.has(id));
    for (const a of countedRuns)
      for (const b of countedRuns) {
        const overlap = Math.min(a.to, b.to) - Math.max(a.from, b.from);
        if (a !== b && overlap > 0) expect(2 * overlap).toBeLessThan(Math.min(a.to - a.from, b.to - b.from));
      }
  }
});

test('gives the same result as comparing every pair, even for runs of several weeks', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const random = seededRandom(seed);
    const runs = Array.from({ length: 60 }, (_, id) => {
      const from = Math.floor(random() * 40 * 86_400);
      const length = random() < 0.2 ? 31 * 86_400 : 2 * 86_400;
      return run(id, from, from + Math.floor(random() * length), { machine: Math.floor(random() * 2) });
    });
    const byLength = [...runs].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
    const countedRuns: ComparableRun[] = [];
    const expected = new Map<number, number>();
    for (const next of byLength) {
      const rival = countedRuns.find((other) => {
        const overlap = Math.min(next.to, other.to) - Math.max(next.from, other.from);
        return other.machine === next.machine && overlap > 0 && 2 * overlap >= next.to - next.from;
      });
      if (rival) expected.set(next.id, rival.id);
      else countedRuns.push(next);
    }
    expect(findSupersededRuns(runs)).toEqual(expected);
  }
});
