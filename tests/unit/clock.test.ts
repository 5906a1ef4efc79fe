/** Times in messages as devices write them: ISO 8601 and similar formats. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDeviceTime, parseOptionalDeviceTime } from '../../server/telemetry/adapters/clock';
import { readOwn } from '../../server/telemetry/adapters/readOwn';
import { readThingsBoard } from '../../server/telemetry/adapters/readThingsBoard';
import { InvalidMessage } from '../../server/telemetry/timeline/observation';

describe('a time of a message', () => {
  test.each([
    ['2026-01-01T10:00:00,5Z', '2026-01-01T10:00:00.500Z'],
    ['2026-01-01T10:00:00,5', '2026-01-01T10:00:00.500Z'],
    ['2026-01-01T12:00:00+0200', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T12:00:00.25+02', '2026-01-01T10:00:00.250Z'],
    ['2026-01-01T04:30:00,123456-0530', '2026-01-01T10:00:00.123Z'],
    ['2026-01-01T12:00+02:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01 10:00:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01 12:00:00,5+0200', '2026-01-01T10:00:00.500Z'],
    [' 2026-01-01T10:00:00Z ', '2026-01-01T10:00:00.000Z'],
    [1767261600, '2026-01-01T10:00:00.000Z'],
    [1767261600.5, '2026-01-01T10:00:00.500Z'],
    [1767261600500, '2026-01-01T10:00:00.500Z'],
    ['1767261600', '2026-01-01T10:00:00.000Z'],
  ])('%s is parsed', (input, instant) => {
    expect(parseDeviceTime(input).toISOString()).toBe(instant);
  });

  test('is rejected if its offset moves it beyond the last time of JavaScript', () => {
    for (const text of ['+275760-09-13T00:00:00-01:00', '-271821-04-20T00:00:00+01:00'])
      expect(() => parseDeviceTime(text)).toThrow(InvalidMessage);
  });

  test('is the same in every notation', () => {
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const pad = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-02'), max: new Date('2100-01-01'), noInvalidDate: true }),
        minutes,
        fc.constantFrom('.', ','),
        fc.constantFrom('T', ' '),
        fc.constantFrom(':', ''),
        (at, offset, mark, between, colon) => {
          const localTime = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const zone = `${offset < 0 ? '-' : '+'}${pad(Math.trunc(Math.abs(offset) / 60))}${colon}${pad(Math.abs(offset) % 60)}`;
          expect(parseDeviceTime(localTime.replace('.', mark).replace('T', between) + zone)).toEqual(at);
        },
      ),
    );
  });

  test.each([
    'yesterday',
    '',
    'T',
    '2026-02-30T10:00:00Z',
    '2026-01-01T10:00:00+99',
    '2026-01-01T25:00:00Z',
    null,
    {},
    [],
  ])('%j cannot be parsed: the time of receipt counts', (input) => {
    expect(parseOptionalDeviceTime(input)).toBeUndefined();
    const body = Buffer.from(JSON.stringify({ ts: input, values: { battery: 5 } }));
    expect(readThingsBoard(body, 'telemetry')).toMatchObject([{ message: { at: undefined, battery: 5 } }]);
  });

  test('in a batch is reported at its field if it cannot be parsed', () => {
    expect(readOwn({ at: 'yesterday' })).toEqual({ problems: [['at', { key: 'instant' }]] });
    expect(readOwn({ at: '2026-01-01T12:00:00,5+0200' })).toMatchObject({
      message: { at: new Date('2026-01-01T10:00:00.500Z') },
    });
  });
});
