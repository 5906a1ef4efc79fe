/** Messages with equal device time are merged field by field according to their content, never by order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFields } from '../../server/telemetry/ingest/mergeFields';

const option = <T>(...values: T[]) => fc.option(fc.constantFrom(...values));
const fields = fc.record({
  state: fc.constantFrom('Online', 'Parked', 'Cleaning', 'Charging', 'Offline'),
  reason: fc.constantFrom('message', 'parked', 'no_motion'),
  mode: option('robotic', 'manual'),
  battery: option(5, 50, 100),
  position: option({ latitude: 1, longitude: 2 }, { latitude: 1, longitude: 10 }),
  latitude: option(1, 9, 10),
  longitude: option(2, 20),
  error: option('E1', 'E2'),
  message: option('a', 'b'),
  area: option(1, 2, 10),
  attributes: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 2, '2', true), { maxKeys: 3 }),
});

test('any order, grouping and repetition gives the same result', () => {
  fc.assert(
    fc.property(fc.array(fields, { minLength: 1, maxLength: 5 }), fc.infiniteStream(fc.nat()), (messages, keys) => {
      const mergedMessage = messages.reduce(mergeFields);
      const shuffledMessages = [...messages, ...messages.slice(0, 2)]
        .map((message) => ({ message, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ message }) => message);
      expect(shuffledMessages.reduceRight((last, message) => mergeFields(message, last))).toEqual(mergedMessage);
      expect(mergeFields(mergedMessage, mergedMessage)).toEqual(mergedMessage);
    }),
  );
});

test('a value fills a missing one, a greater value replaces a lesser one, and states follow their precedence', () => {
  const first = { state: 'Cleaning', reason: 'cleaning', battery: null, mode: 'manual', attributes: { a: 1 } };
  const otherMessage = { state: 'Online', reason: 'message', battery: 50, mode: null, attributes: { b: 2 } };
  expect(mergeFields<object>(first, otherMessage)).toEqual({ ...first, battery: 50, attributes: { a: 1, b: 2 } });
  expect(mergeFields({ latitude: 9, longitude: 1 }, { latitude: 10, longitude: 0 })).toEqual({
    latitude: 10,
    longitude: 0,
  });
  const [south, north] = [9, 10].map((latitude) => ({ position: { latitude, longitude: 1 } }));
  expect(mergeFields<object>(south as object, north as object)).toEqual(north);
});
