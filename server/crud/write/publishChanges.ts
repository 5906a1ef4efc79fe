/** What follows a committed write: the entity's own consequences and the news for open pages. */
import { hooksOf } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import type { WriteRequest } from './transaction';
import type { WriteResult } from './write';

export const publishDeletions = async (
  { services, entity }: Pick<WriteRequest, 'services' | 'entity'>,
  ids: readonly number[],
): Promise<void> =>
  services.live.publish(ids.map((id) => ({ entity: entity.name, id, type: 'deleted' as const }))).then(() => undefined);

const types = { create: 'created', edit: 'updated', restore: 'created', delete: 'deleted' } as const;

/**
 * Rows whose consequences are told together: live news is gathered for a moment, and one row after the other would wait
 * for that moment each.
 */
const atOnce = 50;

/**
 * After the commit: the entity's own consequences, then open pages hear of it. Rows that did not change are not news.
 */
export async function publishChanges(
  { services, entity, caller, action }: Omit<WriteRequest, 'request'> & { caller: Caller; action: keyof typeof types },
  written: readonly WriteResult[],
): Promise<void> {
  const news = written.filter(({ values }) => action !== 'edit' || Object.keys(values).length > 0);
  const { committed } = hooksOf(entity);
  for (let at = 0; committed && at < news.length; at += atOnce)
    await Promise.all(
      news.slice(at, at + atOnce).map(({ id, values }) => committed({ caller, services, id, action, values })),
    );
  services.live
    .publish(news.map(({ id }) => ({ entity: entity.name, id, type: types[action] })))
    .catch((err: unknown) => services.log.warn({ err }, 'open pages could not be told of a change'));
}
