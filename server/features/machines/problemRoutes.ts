/** `POST /machines/{id}/problems`: reports a problem of a machine. */

import type { Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import {
  type Answer,
  claimIdempotencyKey,
  idempotencyClaimOf,
  storeIdempotentResponse,
} from '../../crud/write/idempotency';
import { JsonText, serve } from '../../endpoints/serve';
import { openProblemAlert } from '../alerts/openProblemAlert';

export const problemRoutes: Routes = async (app) => {
  const { services } = app;
  const entity = services.model.require('alerts');

  serve(app, 'POST /machines/{id}/problems', async ({ params: { id: machine }, body, transaction }, request) => {
    const { problem, report, is_out_of_use } = body;
    const claimed = idempotencyClaimOf(request, body);
    const { id, answer } = await transaction(async (tx, caller): Promise<{ id?: number; answer: Answer }> => {
      const earlier = claimed && (await claimIdempotencyKey(tx, caller.userId, claimed));
      if (earlier) return { answer: earlier };
      const alertId = await openProblemAlert(
        tx,
        { model: services.model, caller, now: services.now() },
        { machine, problem, report, isOutOfUse: is_out_of_use === true },
      );
      const response = { status: 201, body: `{"data":${(await readRow(tx, entity, caller, { id: alertId })).data}}` };
      if (claimed) await storeIdempotentResponse(tx, { userId: caller.userId, key: claimed.key, answer: response });
      return { id: alertId, answer: response };
    });
    if (id !== undefined) await services.live.publish([{ entity: entity.name, id, type: 'created' }]);
    return new JsonText(answer.body);
  });
};
