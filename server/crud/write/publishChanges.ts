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

/**
 * Publishes without waiting: the change is committed, and the bus delays events briefly to batch them with those of
 * other writers.
 */
function publish(services: Services, events: readonly LiveEvent[]): void {
  services.live.publish(events).catch((err: unknown) => services.log.warn({ err }, 'publishing a change failed'));
}

const eventTypes = { create: 'created', edit: 'updated', restore: 'created', delete: 'deleted' } as const;

/** Number of rows whose `afterCommit` hooks run concurrently, so that they share batches of events. */
const hookConcurrency = 50;

/**
 * Runs hook `afterCommit`, then publishes events. Must be called after the commit. Skips rows that did not change. Logs
 * a failure of a hook instead of throwing it: the change is committed, so its response must not be an error.
 */
export async function publishChanges(
  {
    services,
    entity,
    caller,
    action,
  }: Omit<WriteRequest, 'request'> & { caller: Caller; action: keyof typeof eventTypes },
  results: readonly WriteResult[],
): Promise<void> {
  const changedRows = results.filter(({ values }) => action !== 'edit' || Object.keys(values).length > 0);
  const { afterCommit } = entity.hooks;
  for (let from = 0; afterCommit && from < changedRows.length; from += hookConcurrency)
    await Promise.all(
      changedRows
        .slice(from, from + hookConcurrency)
        .map(({ id, values }) =>
          afterCommit({ caller, services, id, action, values }).catch((err: unknown) =>
            services.log.warn({ err }, `the \`afterCommit\` hook of ${entity.name} failed`),
          ),
        ),
    );
  publish(
    services,
    changedRows.map(({ id }) => ({ entity: entity.name, id, type: eventTypes[action] })),
  );
}
