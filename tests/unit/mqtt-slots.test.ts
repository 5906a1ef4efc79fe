/** Slots of shared MQTT subscriptions: which process holds which slots, and the order of acknowledgements. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAcknowledgements } from '../../server/telemetry/mqtt/openSubscription';
import { planSlots } from '../../server/telemetry/mqtt/planSlots';
import { slotTopics } from '../../server/telemetry/mqtt/topics';

/**
 * Lets all processes act on their plans until nothing changes. Returns the number of rounds and the slots by process.
 */
function settle(slots: readonly number[], holders: Map<number, number>, processes: readonly number[]) {
  let previouslyFree: ReadonlySet<number> = new Set();
  for (let round = 0; ; round += 1) {
    expect(round).toBeLessThan(2 * slots.length + 3);
    const plans = processes.map((self) => ({
      self,
      ...planSlots({ slots, holders: new Map(holders), processes, self, previouslyFree }),
    }));
    previouslyFree = new Set(slots.filter((slot) => !holders.has(slot)));
    const isSettled = plans.every(({ claims, releases }) => claims.length + releases.length === 0);
    if (isSettled)
      return {
        round,
        counts: processes.map((self) => [...holders.values()].filter((holder) => holder === self).length),
      };
    for (const { self, claims, releases } of plans) {
      for (const slot of claims) if (!holders.has(slot)) holders.set(slot, self);
      for (const slot of releases) if (holders.get(slot) === self) holders.delete(slot);
    }
  }
}

test('every slot is held by a running process, and slot counts differ by at most one, whichever processes start or stop', () => {
  const slotNumbers = fc.uniqueArray(fc.integer({ min: 0, max: 64 }), { minLength: 1, maxLength: 12 });
  const processIds = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(slotNumbers, processIds, fc.array(fc.nat(20), { maxLength: 12 }), (slots, processes, choices) => {
      const holders = new Map<number, number>();
      for (const [index, choice] of choices.entries()) {
        const [slot, process] = [slots[index], processes[choice]];
        if (slot !== undefined && process !== undefined) holders.set(slot, process);
      }
      const { counts } = settle(slots, holders, processes);
      expect([...holders.keys()].sort()).toEqual([...slots].sort());
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }),
  );
});

test('slots of a stopped process are claimed in one round', () => {
  const holders = new Map([
    [1, 10],
    [3, 10],
  ]);
  expect(settle([1, 2, 3, 4], holders, [10, 12])).toEqual({ round: 1, counts: [2, 2] });
});

test('a slot that stays free is claimed by any process, even out of turn', () => {
  const claims = { slots: [1], holders: new Map(), processes: [10, 12], self: 12 };
  expect(planSlots({ ...claims, previouslyFree: new Set() }).claims).toEqual([]);
  expect(planSlots({ ...claims, previouslyFree: new Set([1]) }).claims).toEqual([1]);
});

test('acknowledgements are sent in the order of receipt, and never on a later connection', () => {
  const acknowledgedIds: number[] = [];
  const receive = createAcknowledgements((messageId) => acknowledgedIds.push(messageId));
  const [first, second] = [{}, {}];
  const [a, b, c] = [receive(first, 1), receive(first, 2), receive(first, 3)];
  b();
  expect(acknowledgedIds).toEqual([]);
  a();
  expect(acknowledgedIds).toEqual([1, 2]);
  const repeatedReceipt = receive(second, 3);
  c();
  expect(acknowledgedIds).toEqual([1, 2]);
  repeatedReceipt();
  expect(acknowledgedIds).toEqual([1, 2, 3]);
});

test('only messages with their own timestamp use shared subscriptions', () => {
  expect(slotTopics(2, 'g')).toEqual(['$share/g/+/+/+/+/state', '$share/g/+/+/+/+/visualization']);
  expect(slotTopics(1, 'g')).toEqual([
    '$share/g/+/+/+/+/state',
    '+/+/+/+/connection',
    '$share/g/+/+/+/+/visualization',
    '+/+/+/+/factsheet',
  ]);
});
