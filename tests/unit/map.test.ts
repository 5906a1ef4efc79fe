import { describe, expect, test } from 'vitest';
import { parseListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { boundsOf, clipToWorld, isTooSmallToZoom, printBounds, rangesOf } from '../../src/map/bounds';
import { type MapContent, moveMachine } from '../../src/map/mapContent';
import { formatRingCount, ringOf, ringRadius } from '../../src/map/ring';
import { legsOf, lengthOf, trackMetres, trackPositionAt } from '../../src/map/track';
import { repeatAcrossEdge, unwrapLine } from '../../src/map/unwrapLine';

const munich = {
  id: 1,
  serial_number: 'SC-1',
  status: 'Parked',
  latitude: 48.137,
  longitude: 11.575,
  battery: 80,
  fleet_color: null,
} as const;

describe('rectangles', () => {
  test('are printed as west, south, east, north with five decimals', () => {
    expect(printBounds([11.123456789, 48, 12.5, 49.000001])).toBe('11.12346,48,12.5,49');
  });

  test('wider than the world are clamped to the world', () => {
    expect(clipToWorld([-400, -95, 300, 95])).toEqual([-180, -85, 180, 85]);
  });

  test('beyond the date line are normalized to one world and clipped at its edge', () => {
    expect(clipToWorld([370, 40, 380, 50])).toEqual([10, 40, 20, 50]);
    expect(clipToWorld([-190, 40, -170, 50])).toEqual([170, 40, 180, 50]);
  });

  test('around a response contain all of its clusters and machines', () => {
    const cluster = { latitude: 52, longitude: 13, count: 3, states: {}, bbox: [12.9, 51.5, 13.6, 52.6] } as const;
    expect(boundsOf({ clusters: [cluster], points: [munich] })).toEqual([11.575, 48.137, 13.6, 52.6]);
    expect(boundsOf({ clusters: [], points: [] })).toBeUndefined();
  });

  test('of machines at the same point allow no further zoom', () => {
    expect(isTooSmallToZoom([11.575, 48.137, 11.575, 48.137])).toBe(true);
    expect(isTooSmallToZoom([11.5, 48.137, 11.6, 48.137])).toBe(false);
  });

  test('become ranges of the list dialect that include their edges', () => {
    const filter = rangesOf([11, 48, 12, 49]);
    expect(parseListQuery(printListQuery({ filter })).filter).toEqual([
      { path: 'latitude', values: ['>=47.999999', '<=49.000001'] },
      { path: 'longitude', values: ['>=10.999999', '<=12.000001'] },
    ]);
  });
});

describe('the ring of a cluster', () => {
  test('has an arc per state in a fixed order, proportional to its share, and forms a full circle', () => {
    const arcs = ringOf({ Cleaning: 1, Offline: 2, Parked: 1 });
    expect(arcs.map(({ state }) => state)).toEqual(['Offline', 'Parked', 'Cleaning']);
    expect(arcs[0]).toEqual({ state: 'Offline', from: 0, to: Math.PI });
    expect(arcs[1]?.from).toBe(Math.PI);
    expect(arcs.at(-1)?.to).toBe(2 * Math.PI);
  });

  test('is empty without machines', () => expect(ringOf({})).toEqual([]));

  test('grows with the number of digits, within limits', () => {
    expect([1, 9, 10, 99, 100, 100_000].map(ringRadius)).toEqual([14, 14, 18, 18, 22, 30]);
  });

  test.each([
    [7, '7'],
    [999, '999'],
    [1000, '1k'],
    [1534, '1.5k'],
    [9960, '10k'],
    [99_999, '100k'],
  ])('prints %i as %s', (count, printed) => expect(formatRingCount(count)).toBe(printed));
});

describe('a live event', () => {
  const response: MapContent = { clusters: [], points: [munich], total: 1 };

  test('moves and redraws its machine', () => {
    expect(moveMachine(response, 1, { status: 'Cleaning', latitude: 48.2, longitude: 11.6 }).points[0]).toEqual({
      ...munich,
      status: 'Cleaning',
      latitude: 48.2,
      longitude: 11.6,
    });
  });

  test('for a machine that is not drawn changes nothing', () =>
    expect(moveMachine(response, 2, { status: 'Offline' })).toBe(response));

  test('with an incomplete position leaves the machine where it is', () => {
    expect(moveMachine(response, 1, { latitude: 50, battery: 12 }).points[0]).toEqual({ ...munich, battery: 12 });
  });
});

describe('a track', () => {
  const pointAt = (minute: number, latitude: number) => ({
    at: new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString(),
    latitude,
    longitude: 11,
  });
  const track = [pointAt(0, 48), pointAt(10, 48.001), pointAt(30, 48.1), pointAt(31, 48.101)];

  test('is split at a gap of more than ten minutes', () => {
    expect(legsOf(track).map((leg) => leg.length)).toEqual([2, 2]);
  });

  test('is not split by a gap within the machine’s offline policy', () => {
    expect(legsOf(track, 20 * 60_000).map((leg) => leg.length)).toEqual([4]);
    expect(legsOf(track, 19 * 60_000).map((leg) => leg.length)).toEqual([2, 2]);
    expect(trackPositionAt(track, Date.UTC(2026, 0, 5, 8, 20), 20 * 60_000)?.[0]).toBeCloseTo(48.0505, 6);
  });

  test('is as long as its legs, without gaps', () => {
    const leg = trackMetres(track[0] as never, track[1] as never);
    expect(leg).toBeCloseTo(111.19, 1);
    expect(lengthOf(track)).toBeCloseTo(2 * leg, 3);
  });

  test('is interpolated linearly between two points, and stands still during a gap', () => {
    const instant = (minute: number) => Date.UTC(2026, 0, 5, 8, minute);
    expect(trackPositionAt(track, instant(5))?.[0]).toBeCloseTo(48.0005, 6);
    expect(trackPositionAt(track, instant(20))).toEqual([48.001, 11]);
    expect(trackPositionAt(track, instant(59))).toEqual([48.101, 11]);
    expect(trackPositionAt(track, instant(-5))).toEqual([48, 11]);
    expect(trackPositionAt([], instant(5))).toBeUndefined();
  });
});

describe('shapes on the globe', () => {
  test('continue at the other edge of the map', () => {
    const chukotka = [
      [170, 65],
      [180, 66],
      [-170, 66],
      [-170, 64],
      [170, 65],
    ];
    const unrolledTrack = [
      [170, 65],
      [180, 66],
      [190, 66],
      [190, 64],
      [170, 65],
    ];
    expect(unwrapLine(chukotka)).toEqual(unrolledTrack);
    expect(repeatAcrossEdge([chukotka])).toEqual([
      [unrolledTrack],
      [unrolledTrack.map(([longitude = 0, latitude]) => [longitude - 360, latitude])],
    ]);
  });

  test('around a pole are closed along the edge of the map', () => {
    const corners = [
      [-180, -80],
      [-60, -75],
      [60, -70],
      [180, -80],
    ];
    expect(unwrapLine(corners)).toEqual([...corners, [180, -90], [-180, -90]]);
  });

  test('within the map are unchanged', () => {
    const island = [
      [10, 50],
      [11, 51],
      [10, 50],
    ];
    expect(repeatAcrossEdge([island])).toEqual([[island]]);
  });
});
