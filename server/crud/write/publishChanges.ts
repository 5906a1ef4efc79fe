/** After the commit of a write: the entity's hook, then the event for open pages. */
import type { Caller } from '../../context/caller';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { WriteRequest } from './inTransaction';
import type { WriteResult } from './rowWrites';

/** Publishes the deletion of purged rows, for which no hooks run. Must be called after the commit. */
export const publishDeletions = (
  { services, entity }: Pick<WriteRequest, 'services' | 'entity'>,
  ids: readonly number[],
): void =>
  publish(
    services,
    ids.map((id) => ({ entity: entity.name, id, type: 'deleted' })),
  );

/** No response waits for its events: the change is committed, and the bus waits a moment for those of other writers. */
function publish(services: Services, events: readonly LiveEvent[]): void {
  services.live.publish(events).catch((err: unknown) => services.log.warn({ err }, 'publishing a change failed'));
}

const types = { create: 'created', edit: 'updated', restore: 'created', delete: 'deleted' } as const;

/**
 * Number of rows whose `afterCommit` hooks run concurrently. One after the other, each would wait for its own batch of
 * events.
 */
const atOnce = 50;

/** Runs hook `afterCommit`, then publishes events. Must be called after the commit. Skips rows that did not change. */
export async function publishChanges(
  { services, entity, caller, action }: Omit<WriteRequest, 'request'> & { caller: Caller; action: keyof typeof types },
  results: readonly WriteResult[],
): Promise<void> {
  const changedRows = results.filter(({ values }) => action !== 'edit' || Object.keys(values).length > 0);
  const { afterCommit } = entity.hooks;
  for (let at = 0; afterCommit && at < changedRows.length; at += atOnce)
    await Promise.all(
      changedRows.slice(at, at + atOnce).map(({ id, values }) => afterCommit({ caller, services, id, action, values })),
    );
  publish(
    services,
    changedRows.map(({ id }) => ({ entity: entity.name, id, type: types[action] })),
  );
}
