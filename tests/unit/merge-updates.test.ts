/** Merged events contain only the latest values of each row, and no event that a page must handle is lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NumberedEvent } from '../../server/context/eventBus';
import { mergeUpdates } from '../../server/realtime/eventBatch';

const updatedEvent = (eventId: number, id: number, payload?: Record<string, unknown>): NumberedEvent => ({
  eventId,
  entity: 'machines',
  id,
  type: 'updated',
  ...(payload && { payload }),
});

describe('updates of one round', () => {
  test('of one row become one update with the latest values, at the position of the last one', () => {
    const events = [
      updatedEvent(1, 7, { battery: 50, status: 'Cleaning' }),
      updatedEvent(2, 8, { battery: 9 }),
      updatedEvent(3, 7, { battery: 49 }),
    ];
    expect(mergeUpdates(events)).toEqual([
      updatedEvent(2, 8, { battery: 9 }),
      updatedEvent(3, 7, { battery: 49, status: 'Cleaning' }),
    ]);
  });

  test('without values cause a reload, and are not merged with updates that have values', () => {
    const events = [
      updatedEvent(1, 7),
      updatedEvent(2, 7, { battery: 49 }),
      updatedEvent(3, 7, {}),
      updatedEvent(4, 7, { battery: 48 }),
    ];
    expect(mergeUpdates(events)).toEqual([updatedEvent(3, 7, {}), updatedEvent(4, 7, { battery: 48 })]);
  });

  test('are not moved across a creation or deletion', () => {
    const deletion: NumberedEvent = { eventId: 2, entity: 'machines', id: 7, type: 'deleted' };
    const events = [updatedEvent(1, 7, { battery: 50 }), deletion, updatedEvent(3, 7, { status: 'Parked' })];
    expect(mergeUpdates(events)).toEqual(events);
  });

  test('give the same rows as applying each update, with event ids in order', () => {
    const event = fc.record({
      id: fc.integer({ min: 1, max: 3 }),
      type: fc.constantFrom(
        'created' as const,
        'updated' as const,
        'updated' as const,
        'updated' as const,
        'deleted' as const,
      ),
      payload: fc.option(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 9 })), {
        nil: undefined,
      }),
    });
    const applyEvents = (events: readonly NumberedEvent[]) => {
      const rows = new Map<number, { values: Record<string, unknown>; needsReload: boolean; last: number }>();
      for (const { id, type, payload, eventId } of events) {
        const row = (type === 'updated' && rows.get(id)) || { values: {}, needsReload: false, last: 0 };
        const isEmpty = Object.keys(payload ?? {}).length === 0;
        rows.set(id, {
          values: { ...row.values, ...payload },
          needsReload: row.needsReload || (type === 'updated' && isEmpty),
          last: eventId,
        });
      }
      return rows;
    };
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (list) => {
        const events = list.map(
          (event, index): NumberedEvent => ({ ...event, entity: 'machines', eventId: index + 1 }),
        );
        const mergedEvents = mergeUpdates(events);
        expect(applyEvents(mergedEvents)).toEqual(applyEvents(events));
        const eventIds = mergedEvents.map(({ eventId }) => eventId);
        expect(eventIds).toEqual([...eventIds].sort((a, b) => a - b));
      }),
    );
  });
});
