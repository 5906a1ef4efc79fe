/** What happens after the commit of a write. */
import { expect, test, vi } from 'vitest';
import type { Caller } from '../../server/context/caller';
import type { LiveEvent } from '../../server/context/eventBus';
import type { ModelEntity, Services } from '../../server/context/services';
import { publishChanges } from '../../server/crud/write/publishChanges';

test('a hook that fails after the commit is logged, and the events of all rows are published', async () => {
  const published: LiveEvent[] = [];
  const warn = vi.fn();
  const services = {
    live: { publish: async (events: readonly LiveEvent[]) => void published.push(...events) },
    log: { warn },
  } as unknown as Services;
  const afterCommit = async ({ id }: { id: number }) => {
    if (id === 1) throw new Error('The database cannot be reached.');
  };
  const entity = { name: 'machines', hooks: { afterCommit } } as unknown as ModelEntity;
  const results = [1, 2].map((id) => ({ id, values: { name: 'New' } }));
  await publishChanges({ services, entity, caller: {} as Caller, action: 'edit' }, results);
  expect(warn).toHaveBeenCalledOnce();
  expect(published.map(({ id, type }) => [id, type])).toEqual([
    [1, 'updated'],
    [2, 'updated'],
  ]);
});
