/** What the caller wants to be told of, by event and channel. */
import { boolean, choice, records } from '../../../schema/dsl/field';
import {
  type NotificationChoice,
  notificationChannels,
  notificationEvents,
} from '../../../schema/shared/notifications';
import type { Routes } from '../../context/services';
import { apiPrefix } from '../../http/http';
import { readBodyFields } from '../../http/readBody';
import { choicesOf, choose } from '../../notifications/notifications';

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
