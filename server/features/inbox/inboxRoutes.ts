/** `GET /inbox` and acts on its items. */
import { maxSnoozeDays, parseInboxKey } from '../../../schema/features/inbox';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { serve, type WriteTransaction } from '../../endpoints/serve';
import { actOnInbox, entityOfKind, type InboxRequest } from './actOnInbox';
import { readInbox } from './inboxItems';

/** Events per act: listening pages recount at the first one within their scope. */
const maxEvents = 20;

export const inboxRoutes: Routes = async (app) => {
  const { services } = app;
  const { live, model } = services;

  serve(app, 'GET /inbox', async ({ query: { aside } }, { caller }) => ({
    data: await readInbox(services, caller, aside === true),
  }));

  type ItemReference = { key: string; count: number };
  const performAct = async (
    transaction: WriteTransaction,
    { key: text, count }: ItemReference,
    action: Omit<InboxRequest, 'key' | 'count'>,
  ) => {
    const key = parseInboxKey(text);
    if (!key) throw ApiError.notFound();
    const now = services.now();
    const subjects = await transaction((tx, caller: Caller) =>
      actOnInbox(tx, { model, caller, now }, { ...action, key, count }),
    );
    const entity = entityOfKind[key.kind];
    if (entity && action.act !== 'snooze')
      await live.publish(
        subjects.slice(0, maxEvents).map((id) => ({ entity, id: Number(id), type: 'updated' as const })),
      );
    return { data: { count: subjects.length } };
  };

  serve(app, 'POST /inbox/acknowledge', ({ body, transaction }) =>
    performAct(transaction, body, { act: 'acknowledge' }),
  );
  serve(app, 'POST /inbox/done', ({ body, transaction }) => performAct(transaction, body, { act: 'done' }));
  serve(app, 'POST /inbox/return', ({ body, transaction }) => performAct(transaction, body, { act: 'return' }));
  serve(app, 'POST /inbox/assign', ({ body: { user_id, ...body }, transaction }) =>
    performAct(transaction, body, { act: 'assign', assignee: user_id }),
  );
  serve(app, 'POST /inbox/snooze', ({ body: { until, ...body }, transaction }) => {
    const days = (Date.parse(until) - services.now().getTime()) / 86_400_000;
    if (!(days > 0 && days <= maxSnoozeDays))
      throw ApiError.invalidAt('until', { text: 'inbox_until', values: { days: maxSnoozeDays } });
    return performAct(transaction, body, { act: 'snooze', until });
  });
};
