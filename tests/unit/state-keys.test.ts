/** A key that a message lacks keeps its last value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attributes, interpretAttributes } from '../../server/telemetry/adapters/interpretAttributes';
import {
  carryForwardKeys,
  parseStateKeys,
  printStateKeys,
  type StateKeyValues,
  stateOfKeys,
} from '../../server/telemetry/timeline/stateKeys';

const values: fc.Arbitrary<StateKeyValues> = fc.record({
  status: fc.constantFrom(undefined, 'other' as const, 'charging' as const, 'cleaning' as const, 'parked' as const),
  charging: fc.constantFrom(undefined, true, false),
  moving: fc.constantFrom(undefined, true, false),
  mode: fc.constantFrom(undefined, null, 'robotic' as const, 'manual' as const, 'teaching' as const),
});
const keys = values.map(printStateKeys);

test('keys survive a round trip through two bytes', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(parseStateKeys(printStateKeys(value))).toEqual(value);
      expect(printStateKeys(value)).toBeLessThan(2 ** 15);
    }),
  );
});

test('each key applies until it is sent again, and an empty message changes nothing', () => {
  fc.assert(
    fc.property(values, values, (earlier, later) => {
      const presentKeys = Object.fromEntries(Object.entries(later).filter(([, value]) => value !== undefined));
      expect(parseStateKeys(carryForwardKeys(printStateKeys(earlier), printStateKeys(later)))).toEqual({
        ...earlier,
        ...presentKeys,
      });
    }),
  );
  fc.assert(
    fc.property(keys, keys, keys, (a, b, c) => {
      expect(carryForwardKeys(a, 0)).toBe(a);
      expect(carryForwardKeys(carryForwardKeys(a, b), c)).toBe(carryForwardKeys(a, carryForwardKeys(b, c)));
    }),
  );
});

test.each([
  [[{ status: 'cleaning' }, {}], 'Cleaning'],
  [[{ status: 'cleaning' }, { charging: true }], 'Charging'],
  [[{ status: 'cleaning', charging: true }, { charging: false }], 'Cleaning'],
  [[{ status: 'cleaning' }, { speed: 0 }], 'Cleaning'],
  [[{ speed: 0 }, {}], 'Parked'],
  [[{ speed: 0 }, { is_moving: true }], 'Online'],
  [[{ is_moving: false }, { speed: 2 }, {}], 'Online'],
  [[{ status: 'cleaning' }, { status: 'docking' }, {}], 'Online'],
  [[{}, {}], 'Online'],
] as const)('%j is %s', (messages, state) => {
  const allKeys = messages.map((fields) => {
    const { speed, charging, ...rest } = fields as { speed?: number; charging?: boolean } & Record<string, unknown>;
    const attributes = new Map(Object.entries(rest)) as Attributes;
    return interpretAttributes({ at: undefined, speed, charging, attributes }).own_keys ?? 0;
  });
  expect(stateOfKeys(allKeys.reduce(carryForwardKeys, 0)).state).toBe(state);
});
