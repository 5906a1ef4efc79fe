/** Notification preferences of the caller, by event and channel. */
import type { Routes } from '../../context/services';
import { serve } from '../../endpoints/serve';
import { readNotificationChoices, storeChoices } from '../../notifications/notifications';

export const notificationRoutes: Routes = async (app) => {
  const { db } = app.services;

  serve(app, 'GET /account/notifications', async (_input, { caller }) => ({
    data: await readNotificationChoices(db, caller.userId),
  }));

  serve(app, 'PUT /account/notifications', async ({ body: { choices }, transaction }, { caller: { userId } }) => {
    await transaction((tx) => storeChoices(tx, userId, choices));
    return { data: await readNotificationChoices(db, userId) };
  });
};
