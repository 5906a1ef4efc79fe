/** Every adapter returns a storable message or throws `InvalidMessage`, for any input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenBucket } from '../../server/shared/createTokenBucket';
import { keepKeys } from '../../server/telemetry/adapters/buildKeyMap';
import { createActionMatcher } from '../../server/telemetry/adapters/createActionMatcher';
import { mediaTypeOf, type RawMessage, readMessage } from '../../server/telemetry/adapters/readMessage';
import { thingsBoardTopics } from '../../server/telemetry/adapters/readThingsBoard';
import { vda5050Topics } from '../../server/telemetry/adapters/readVda5050';
import { truncate } from '../../server/telemetry/adapters/requireStorable';
import { InvalidMessage, type Message, type Protocol } from '../../server/telemetry/timeline/observation';
import { osmAndLocation } from '../support/osmAndLocation';

const settings = { mapKeys: keepKeys, isCleaning: createActionMatcher(['clean']) };
const mediaTypes: Record<Exclude<Protocol, 'kept'>, readonly string[]> = {
  osmand: ['application/json', 'application/x-www-form-urlencoded'],
  own: ['application/json'],
  owntracks: ['application/json'],
  thingsboard: thingsBoardTopics.map(mediaTypeOf),
  vda5050: vda5050Topics.map(mediaTypeOf),
};
const sources = Object.entries(mediaTypes).flatMap(([protocol, types]) =>
  types.map((mediaType): [Protocol, string] => [protocol as Protocol, mediaType]),
);

/** Keywords that adapters look for, so that fuzzed objects contain them. */
const word = fc.constantFrom(
  ...[
    'ts',
    'values',
    'at',
    'timestamp',
    'latitude',
    'longitude',
    'lat',
    'lon',
    'speed',
    'heading',
    'accuracy',
    'altitude',
    'battery',
    'batt',
    'charge',
    'status',
    'mode',
  ],
  ...[
    'area',
    'area_total',
    'odometer',
    'error',
    'message',
    'device_id',
    'location',
    'coords',
    'extras',
    'errors',
    'errorType',
    'errorLevel',
    'errorDescription',
  ],
  ...[
    'operatingMode',
    'driving',
    'orderId',
    'nodeStates',
    'actionStates',
    'actionType',
    'actionStatus',
    'batteryState',
    'batteryCharge',
    'powerSupply',
    'stateOfCharge',
    'charging',
  ],
  ...['id', 'connectionState', 'agvPosition', 'velocity', 'vx', 'vy', 'x', '__proto__', 'constructor'],
  ...['_type', 'tst', 'vel', 'cog', 'bs'],
);
const plainValue = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '\u0000', '😀') }),
  fc.constantFrom(
    null,
    -1,
    1e308,
    '2026-10-20T10:00:00Z',
    '2026-10-20T10:00:00',
    1_792_490_400_000,
    'cleaning',
    'location',
    'AUTOMATIC',
    'RUNNING',
    'clean',
    'ONLINE',
    'x'.repeat(2000),
  ),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    plainValue,
    fc.dictionary(fc.oneof(word, fc.string()), tie('tree'), { maxKeys: 8 }),
    fc.array(tie('tree'), { maxLength: 4 }),
  ),
}));
/** Fields that some adapter requires. Without them, fuzzed messages of OsmAnd and OwnTracks would all be rejected. */
const requiredFields = {
  id: '1',
  device_id: '1',
  _type: 'location',
  lat: 52.5,
  lon: 13.4,
  connectionState: 'ONLINE',
};
const formBody = (fields: object) =>
  Buffer.from(
    new URLSearchParams(
      Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString(),
  );
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  tree.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
  fc.tuple(tree, fc.nat()).map(([value, length]) => Buffer.from((JSON.stringify(value) ?? '').slice(0, length))),
  fc.dictionary(word, plainValue).map(formBody),
  fc.dictionary(word, plainValue, { maxKeys: 4 }).map((fields) => formBody({ ...fields, id: '1' })),
  fc
    .tuple(fc.dictionary(word, tree, { maxKeys: 4 }), fc.dictionary(word, tree, { maxKeys: 4 }))
    .map(([fields, locationFields]) =>
      Buffer.from(
        JSON.stringify({
          ...requiredFields,
          location: { ...osmAndLocation, ...locationFields },
          ...fields,
        }),
      ),
    ),
);

const numbers = ({ speed, heading, accuracy, altitude, odometer, area, area_total, position, battery }: Message) => [
  ...[speed, heading, accuracy, altitude, odometer, area, area_total, battery],
  ...Object.values(position ?? {}),
];

function expectStorable(message: Message): void {
  for (const value of numbers(message)) expect(value === null || Number.isFinite(value)).toBe(true);
  if (message.battery !== null)
    expect(Number.isInteger(message.battery) && message.battery >= 0 && message.battery <= 100).toBe(true);
  if (message.position)
    expect(Math.abs(message.position.latitude) <= 90 && Math.abs(message.position.longitude) <= 180).toBe(true);
  if (message.at) expect(Number.isNaN(message.at.getTime())).toBe(false);
  const texts = JSON.stringify([message.error, message.message, message.attributes, message.deviceErrors]);
  // JSON escapes lone surrogates and NUL, which PostgreSQL would reject.
  expect(texts).not.toMatch(/\\u(d[89ab]|dc|dd|de|df|0000)/i);
}

describe.each(sources)('%s %s', (protocol, mediaType) => {
  const read = (body: Uint8Array) => readMessage(protocol, { mediaType, body } satisfies RawMessage, settings);
  const readReports = (body: Uint8Array) => {
    try {
      return read(body);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidMessage);
      return [];
    }
  };

  test('returns storable values, or throws InvalidMessage', () => {
    let messageCount = 0;
    fc.assert(
      fc.property(bodies, (body) => {
        for (const { message } of readReports(body)) {
          messageCount += 1;
          expectStorable(message);
        }
      }),
      { numRuns: 1500 },
    );
    expect(messageCount).toBeGreaterThan(0);
  });

  test('returns the same result when a message is read again', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        for (const reading of readReports(body))
          expect(readReports(reading.body).map(({ message }) => message)).toEqual([reading.message]);
      }),
      { numRuns: 300 },
    );
  });

  test('rejects a deeply nested body', () => {
    const nestedBody = `{"values":${'['.repeat(20_000)}${']'.repeat(20_000)},"ts":1}`;
    expect(() => read(Buffer.from(nestedBody))).toThrow(InvalidMessage);
  });
});

test('text is truncated between characters', () => {
  expect(truncate('ab😀', 3)).toBe('ab');
  expect(truncate('ab😀', 4)).toBe('ab😀');
});

test('a token bucket allows a burst, then the refill rate', () => {
  let now = 0;
  const takeToken = createTokenBucket({ perSecond: 2, burst: 3 }, () => now);
  const count = () => Array.from({ length: 10 }, takeToken).filter(Boolean).length;
  expect(count()).toBe(3);
  now = 1000;
  expect(count()).toBe(2);
  now = 60_000;
  expect(count()).toBe(3);
});
