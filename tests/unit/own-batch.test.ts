/** Batches in our own format, as observations. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseItems, readOwn } from '../../server/telemetry/adapters/readOwn';
import { InvalidMessage } from '../../server/telemetry/timeline/observation';
import { printStateKeys } from '../../server/telemetry/timeline/stateKeys';

const items = (text: string) => parseItems(Buffer.from(text));
const message = (item: object) => {
  const report = readOwn(item);
  if ('problems' in report) throw new Error(JSON.stringify(report.problems));
  return report.message;
};
const problems = (item: unknown) => {
  const report = readOwn(item);
  return 'problems' in report ? report.problems.map(([field, { key }]) => `${field} ${key}`) : [];
};

describe('a body', () => {
  test('is an array, one observation, or one per line', () => {
    expect(items('[{"battery":1},{"battery":2}]')).toEqual([{ battery: 1 }, { battery: 2 }]);
    expect(items('{"battery":1}')).toEqual([{ battery: 1 }]);
    expect(items('{"battery":1}\n{"battery":2}\r\n\n')).toEqual([{ battery: 1 }, { battery: 2 }]);
    expect(items('[]')).toEqual([]);
  });

  test('that is not JSON or UTF-8 is rejected', () => {
    for (const body of ['{"battery":', '{"battery":1}\nnothing', 'nothing'])
      expect(() => items(body)).toThrow(InvalidMessage);
    expect(() => parseItems(Buffer.from([0x22, 0xff, 0x22]))).toThrow(InvalidMessage);
    expect(items('')).toEqual([]);
  });

  test('has objects of at most 1,000 keys', () => {
    const item = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));
    expect(items(`[${item(1000)},${item(1000)}]`)).toHaveLength(2);
    expect(() => items(`[{},${item(1001)}]`)).toThrow(InvalidMessage);
    expect(items(`[${'{},'.repeat(20_000)}{}]`)).toHaveLength(20_001);
  });
});

describe('an observation', () => {
  test('has time, position, figures and state', () => {
    const entry = {
      at: '2026-10-20T12:00:00+02:00',
      latitude: 52.5,
      longitude: 13.4,
      speed: 0.7,
      heading: 90,
      accuracy: 3,
      altitude: 34,
      battery: 61.4,
      status: 'Cleaning',
      mode: 'robotic',
      odometer: 1200,
      area: 14,
      area_total: 50_000,
      error: 'E12',
      message: 'Squeegee motor blocked',
      program: 'deep',
      brushes: { left: 1 },
    };
    expect(message(entry)).toEqual({
      at: new Date('2026-10-20T10:00:00Z'),
      kind: 'message',
      state: 'Cleaning',
      reason: 'cleaning',
      mode: 'robotic',
      own_keys: printStateKeys({ status: 'cleaning', moving: true, mode: 'robotic' }),
      battery: 61,
      position: { latitude: 52.5, longitude: 13.4 },
      speed: 0.7,
      heading: 90,
      accuracy: 3,
      altitude: 34,
      odometer: 1200,
      area: 14,
      area_total: 50_000,
      error: 'E12',
      message: 'Squeegee motor blocked',
      attributes: { program: 'deep' },
    });
  });

  test('accepts seconds, milliseconds and no time', () => {
    expect(
      [1_792_490_400, 1_792_490_400_000, '1792490400'].map((time) => message({ at: time }).at?.toISOString()),
    ).toEqual(Array(3).fill('2026-10-20T10:00:00.000Z'));
    expect(message({}).at).toBeUndefined();
  });

  test('is Charging, Parked or Online according to its values', () => {
    expect(
      [
        { charging: true },
        { charge: true },
        { status: 'parked' },
        { speed: 0 },
        { is_moving: false },
        { status: 'other', speed: 0 },
        {},
      ].map((item) => message(item).state),
    ).toEqual(['Charging', 'Charging', 'Parked', 'Parked', 'Parked', 'Online', 'Online']);
  });

  test('has no value for -1 where negative values are impossible', () => {
    expect(message({ speed: -1, heading: -1, accuracy: -1, battery: -1, altitude: -1 })).toMatchObject({
      speed: null,
      heading: null,
      accuracy: null,
      battery: null,
      altitude: -1,
    });
  });

  test('that is invalid is reported by field', () => {
    expect(problems({ at: 'yesterday', battery: '80', latitude: 91, longitude: 0, speed: -2 })).toEqual([
      'at instant',
      'latitude max',
      'speed min',
      'battery number',
    ]);
    expect(problems({ latitude: 1 })).toEqual(['longitude required']);
    expect(problems({ note: 'a\0b' })).toEqual(['note control_characters']);
    for (const item of [null, 1, 'x', []]) expect(problems(item)).toEqual([' object']);
  });

  test('is parsed or rejected for any input', () => {
    fc.assert(
      fc.property(
        fc.object({ withNullPrototype: true, withDate: true, withBigInt: true, withTypedArray: true }),
        fc.jsonValue(),
        (item, at) => {
          const report = readOwn({ ...item, at });
          if ('message' in report)
            for (const value of [report.message.speed, report.message.battery])
              expect(value === null || Number.isFinite(value)).toBe(true);
          else expect(report.problems.length).toBeGreaterThan(0);
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          for (const item of parseItems(Buffer.from(bytes))) readOwn(item);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidMessage);
        }
      }),
    );
  });
});
