/** Sort order and keys of inbox items. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareInboxItems,
  type InboxKey,
  inboxKinds,
  inboxPlaces,
  parseInboxKey,
  printInboxKey,
} from '../../schema/features/inbox';

const item = (values: Partial<Parameters<typeof compareInboxItems>[0]>) => ({
  kind: 'alert' as const,
  severity: 'warning' as const,
  count: 1,
  since: null,
  key: 'alert:none:0:',
  ...values,
});

test('items are sorted by severity, urgency, number and time since they began', () => {
  const sortedItems = [
    item({ severity: 'critical', kind: 'silent', count: 3 }),
    item({ kind: 'reported' }),
    item({ kind: 'alert', count: 5 }),
    item({ kind: 'alert', since: '2026-10-21T10:00:00.000Z' }),
    item({ kind: 'silent', since: '2026-10-22T10:00:00.000Z' }),
    item({ kind: 'alert', since: '2026-10-22T11:00:00.000Z' }),
    item({ kind: 'alert' }),
    item({ kind: 'job', count: 99 }),
    item({ severity: 'info', kind: 'reported', count: 99 }),
  ];
  expect([...sortedItems].reverse().sort(compareInboxItems)).toEqual(sortedItems);
});

test('keys survive a round trip, whatever the name of a device’s error', () => {
  const key = fc.record({
    kind: fc.constantFrom(...inboxKinds),
    place: fc.constantFrom(...inboxPlaces),
    placeId: fc.nat(999_999_999),
    cause: fc.string(),
  });
  fc.assert(
    fc.property(key, (value: InboxKey) => {
      expect(parseInboxKey(printInboxKey(value))).toEqual(value);
    }),
  );
});

test.each([
  '',
  'alert',
  'alert:location:x:',
  'other:none:0:',
  'alert:street:1:',
  'alert:none:1234567890:',
])('rejects the key "%s"', (text) => expect(parseInboxKey(text)).toBeUndefined());
