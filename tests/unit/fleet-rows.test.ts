/** Fleet timeline: its layout covers every second, and events update it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FleetTimelineResult } from '../../schema/endpoints/fleetTimeline';
import {
  applyEvent,
  barHeight,
  blockRows,
  pieceAt,
  piecesOf,
  roundToBlock,
  rowHeight,
  stateNow,
  statePaths,
  timelinePeriod,
  timelineRows,
  visibleBlocks,
} from '../../src/charts/fleetRows';

const day = 86_400;
const machine = (id: number, group: number | null, pieces: number[] = [0, 2]) => ({
  id,
  serial_number: `M-${id}`,
  group,
  cleaning: 0,
  charging: 0,
  parked: 0,
  online: 0,
  offline: 0,
  pieces,
});
const response = (machines: FleetTimelineResult['machines']): FleetTimelineResult => ({
  from: '2026-11-22T10:00:00.000Z',
  to: '2026-11-23T10:00:00.000Z',
  groups: [
    { id: 7, name: 'Werk' },
    { id: 8, name: 'Gare' },
  ],
  machines,
});
const starts = fc.uniqueArray(fc.integer({ min: 1, max: day - 1 }), { maxLength: 300 });
const flat = fc
  .tuple(starts, fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 301, maxLength: 301 }))
  .map(([starts, codes]) =>
    [0, ...starts.sort((a, b) => a - b)].flatMap((start, index) => [start, codes[index] as number]),
  );

describe('pieces', () => {
  test('cover the period up to the current time without gaps or overlaps', () => {
    fc.assert(
      fc.property(flat, fc.integer({ min: 1, max: day }), (pieces, until) => {
        const machinePieces = piecesOf({ pieces }, until);
        expect(machinePieces[0]?.since).toBe(0);
        expect(machinePieces.at(-1)?.until).toBe(until);
        for (const [index, { since }] of machinePieces.entries())
          if (index > 0) expect(machinePieces[index - 1]?.until).toBe(since);
      }),
    );
  });

  test('are drawn with their total width: no pixel is missing or painted twice', () => {
    fc.assert(
      fc.property(flat, fc.integer({ min: 50, max: 2000 }), (pieces, width) => {
        const spans = statePaths([{ top: 4, pieces: piecesOf({ pieces }, day) }], { length: day, width }).flatMap(
          ({ path }) =>
            [...path.matchAll(/M(\d+) 4H(\d+)v(\d+)H\1Z/g)].map(([, left, right, height]) => {
              expect(Number(height)).toBe(barHeight);
              return [Number(left), Number(right)] as const;
            }),
        );
        const sortedSpans = spans.sort(([a], [b]) => a - b);
        expect(sortedSpans[0]?.[0]).toBe(0);
        expect(sortedSpans.at(-1)?.[1]).toBe(width);
        for (const [index, [left]] of sortedSpans.entries())
          if (index > 0) expect(sortedSpans[index - 1]?.[1]).toBe(left);
      }),
    );
  });

  test('of several machines make one path per state, each bar at its own height', () => {
    const bars = [0, 28].map((top) => ({ top, pieces: piecesOf({ pieces: [0, 2, 50, 5] }, 100) }));
    expect(statePaths(bars, { length: 100, width: 10 })).toEqual([
      { state: 'Parked', path: 'M0 0H5v20H0ZM0 28H5v20H0Z' },
      { state: undefined, path: 'M5 0H10v20H5ZM5 28H10v20H5Z' },
    ]);
  });

  test('are found by their second; beyond the last one, the last is returned', () => {
    const pieces = piecesOf({ pieces: [0, 5, 100, 4, 200, 0] }, 300);
    expect([0, 99, 100, 250, 999].map((second) => pieceAt(pieces, second)?.state)).toEqual([
      undefined,
      undefined,
      'Cleaning',
      'Offline',
      'Offline',
    ]);
  });
});

describe('events', () => {
  const responseBefore = response([machine(1, null, [0, 2, 1000, 4]), machine(2, null)]);
  const timeAfter = (second: number) => new Date(Date.parse(responseBefore.from) + second * 1000).toISOString();

  test('start a new piece at their time', () => {
    const updatedResult = applyEvent(responseBefore, 1, { status: 'Charging', status_since: timeAfter(2000) });
    expect(updatedResult.machines.map(({ pieces }) => pieces)).toEqual([
      [0, 2, 1000, 4, 2000, 3],
      [0, 2],
    ]);
    expect(responseBefore.machines[0]?.pieces).toHaveLength(4);
  });

  test('replace corrected rows, and rows that began before the period', () => {
    expect(
      applyEvent(responseBefore, 1, { status: 'Offline', status_since: timeAfter(500) }).machines[0]?.pieces,
    ).toEqual([0, 2, 500, 0]);
    expect(
      applyEvent(responseBefore, 1, { status: 'Offline', status_since: timeAfter(-500) }).machines[0]?.pieces,
    ).toEqual([0, 0]);
  });

  test('are never in the future, and set the state at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_001, max: day * 1000 }), (milliseconds) => {
        const event = { status: 'Charging', status_since: timeAfter(milliseconds / 1000) };
        const changedMachine = applyEvent(responseBefore, 1, event).machines[0] ?? machine(1, null);
        expect(changedMachine.pieces.at(-2)).toBeLessThanOrEqual(milliseconds / 1000);
        expect(stateNow(changedMachine)).toBe('Charging');
      }),
    );
  });

  test('change nothing without a state, its time or the machine', () => {
    for (const payload of [{}, { status: 'Charging' }, { status: 'x', status_since: timeAfter(1) }])
      expect(applyEvent(responseBefore, 1, payload)).toBe(responseBefore);
    expect(applyEvent(responseBefore, 9, { status: 'Charging', status_since: timeAfter(1) })).toBe(responseBefore);
  });
});

describe('rows', () => {
  test('are grouped below headings with their number; groups out of scope are merged', () => {
    const rows = timelineRows(
      response([machine(1, 7), machine(2, 7), machine(3, 8), machine(4, 99), machine(5, null)]),
      true,
    );
    expect(rows.map((row) => (row.kind === 'group' ? [row.name, row.count] : row.machine.id))).toEqual([
      ['Werk', 2],
      1,
      2,
      ['Gare', 1],
      3,
      [undefined, 2],
      4,
      5,
    ]);
    expect(timelineRows(response([machine(1, null)]), false)).toHaveLength(1);
  });

  test('are drawn only near the visible ones', () => {
    const blocks = (top: number, count: number) => visibleBlocks({ top, height: 280, count });
    expect(blocks(0, 1000)).toEqual([0, 4]);
    expect(blocks(496 * rowHeight, 1000)).toEqual([61, 66]);
    expect(blocks(0, 3)).toEqual([0, 1]);
    expect(blocks(9000, 3)).toEqual([1, 1]);
  });

  test('change only at block boundaries and always cover the visible area', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 * rowHeight - 280 }), (top) => {
        const [first, last] = visibleBlocks({ top: roundToBlock(top), height: 280, count: 1000 });
        expect(first * blockRows).toBeLessThanOrEqual(Math.max(0, Math.floor(top / rowHeight) - blockRows));
        expect(last * blockRows).toBeGreaterThanOrEqual(Math.min(1000, Math.ceil((top + 280) / rowHeight) + blockRows));
      }),
    );
    expect([0, 223, 224, 300].map(roundToBlock)).toEqual([0, 0, 224, 224]);
  });
});

test('the period ends at the next full hour or at midnight', () => {
  const now = new Date(2026, 10, 23, 10, 20).getTime();
  expect(timelinePeriod('day', now)).toEqual({
    from: new Date(2026, 10, 22, 11).getTime(),
    to: new Date(2026, 10, 23, 11).getTime(),
  });
  expect(timelinePeriod('week', now)).toEqual({
    from: new Date(2026, 10, 17).getTime(),
    to: new Date(2026, 10, 24).getTime(),
  });
});
