/** The ThingsBoard device API as observations: thingsboard.io, "HTTP Device API Reference". */
import { describe, expect, test } from 'vitest';
import { readThingsBoard, type ThingsBoardTopic } from '../../server/telemetry/adapters/readThingsBoard';
import { InvalidMessage } from '../../server/telemetry/timeline/observation';

const readings = (value: unknown, topic: ThingsBoardTopic = 'telemetry') =>
  readThingsBoard(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), topic);
const messages = (value: unknown, topic?: ThingsBoardTopic) => readings(value, topic).map(({ message }) => message);

describe('telemetry', () => {
  test('can be a plain object without a time', () => {
    const [message] = messages({
      status: 'cleaning',
      mode: 'robotic',
      battery: 61.4,
      latitude: 52.5,
      longitude: 13.4,
      speed: 0.7,
      area: 3,
      firmware: '1.2',
      on: true,
    });
    expect(message).toMatchObject({
      at: undefined,
      kind: 'message',
      state: 'Cleaning',
      mode: 'robotic',
      battery: 61,
      position: { latitude: 52.5, longitude: 13.4 },
      speed: 0.7,
      area: 3,
      attributes: { firmware: '1.2', on: true },
    });
  });

  test('can be an object with a time, or an array of both kinds', () => {
    const ts = 1_792_490_400_512;
    expect(messages({ ts, values: { temperature: 42 } })).toMatchObject([
      { at: new Date(ts), attributes: { temperature: 42 } },
    ]);
    expect(
      messages([
        { ts, values: { status: 'parked' } },
        { ts: ts + 1000, values: { status: 'cleaning' } },
      ]).map(({ at, state }) => [at?.getTime(), state]),
    ).toEqual([
      [ts, 'Parked'],
      [ts + 1000, 'Cleaning'],
    ]);
    expect(messages([])).toEqual([]);
  });

  test('with one time is one observation, no matter how many entries it consists of', () => {
    expect(messages([{ status: 'cleaning' }, { battery: 40 }])).toMatchObject([{ state: 'Cleaning', battery: 40 }]);
    expect(
      messages([
        { ts: 1_792_490_400_000, values: { status: 'cleaning' } },
        { ts: 1_792_490_400_000, values: { battery: 40 } },
      ]),
    ).toMatchObject([{ state: 'Cleaning', battery: 40 }]);
  });

  test('accepts the names and numbers that devices use; impossible values are unknown', () => {
    expect(messages({ lat: '52.5', lon: '13.4', batt: 80, bearing: 90, charge: true })).toMatchObject([
      { position: { latitude: 52.5, longitude: 13.4 }, battery: 80, heading: 90, state: 'Charging', attributes: {} },
    ]);
    expect(messages({ latitude: 91, longitude: 0, speed: -1, battery: -1, heading: -1, accuracy: -1 })).toMatchObject([
      { position: null, speed: null, battery: null, heading: null, accuracy: null },
    ]);
  });

  test('is split into messages that read the same again', () => {
    const value = [{ ts: 1_792_490_400_000, values: { status: 'cleaning', nested: { a: [1] } } }, { battery: 3 }];
    expect(readings(value)).toHaveLength(2);
    for (const { message, body } of readings(value))
      expect(readThingsBoard(body, 'telemetry').map(({ message: reread }) => reread)).toEqual([message]);
  });

  test.each([
    '',
    '{',
    '"text"',
    '7',
    'null',
    '[1]',
    '[[{}]]',
    '{"ts":1,"values":7}',
    '{"a":"b\\u0000"}',
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
  ])('that is malformed is rejected: %s', (body) => {
    expect(() => readings(body)).toThrow(InvalidMessage);
  });
});

test('attributes describe the device and do not affect its state', () => {
  expect(messages({ firmware: '1.2', latitude: 1, longitude: 2 }, 'attributes')).toMatchObject([
    { kind: 'attributes', position: { latitude: 1, longitude: 2 }, attributes: { firmware: '1.2' } },
  ]);
});

test('entries of one time are merged in a time that grows with their number only', () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    ts: 1_792_490_400_000,
    values: { [`k${index}`]: 1 },
  }));
  const startedAt = performance.now();
  expect(Object.keys(messages(entries)[0]?.attributes ?? {})).toHaveLength(10_000);
  // Copying the values for each entry took 20 s.
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('a last will means Offline, whatever its payload', () => {
  expect(messages({ ts: 1, values: { status: 'cleaning' } }, 'will')).toMatchObject([
    { at: undefined, kind: 'connection', state: 'Offline', reason: 'connection_lost', mode: null },
  ]);
});
