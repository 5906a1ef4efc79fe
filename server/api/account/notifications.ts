/** What the caller wants to be told of, by event and channel. */
import { boolean, choice, records } from '../../../schema/dsl/field';
import { type NotificationChoice, notificationChannels, notificationEvents } from '../../../schema/notifications';
import { choicesOf, choose } from '../../notifications';
import type { Routes } from '../../services';
import { readBodyFields } from '../ask';
import { apiPrefix } from '../http';

const path = `${apiPrefix}/account/notifications`;
const cell = {
  event: choice(notificationEvents, { required: true }),
  channel: choice(notificationChannels, { required: true }),
  wanted: boolean({ required: true }),
};
const fields = { choices: records(cell, { required: true }) };

export const notificationRoutes: Routes = async (app) => {
  const { db } = app.services;

  app.get(path, async ({ caller }) => ({ data: await choicesOf(db, caller.userId) }));

  app.put(path, async (request) => {
    const { userId } = request.caller;
    const { choices } = (await readBodyFields(request, fields)) as { choices: NotificationChoice[] };
    await db.transaction((tx) => choose(tx, userId, choices));
    return { data: await choicesOf(db, userId) };
  });
};
