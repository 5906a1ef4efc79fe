/** `POST /machines/{id}/problems`: reports a problem with a machine. */

import type { Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { idempotencyClaimOf, respondOnce } from '../../crud/write/idempotency';
import { JsonText, serve } from '../../endpoints/serve';
import { openProblemAlert } from '../alerts/openProblemAlert';

export const problemRoutes: Routes = async (app) => {
  const { services } = app;
  const entity = services.model.require('alerts');

  serve(app, 'POST /machines/{id}/problems', async ({ params: { id: machine }, body, transaction }, request) => {
    const { problem, report, is_out_of_use } = body;
    const claim = idempotencyClaimOf(request, body);
    let id: number | undefined;
    const response = await transaction((tx, caller) =>
      respondOnce(tx, caller.userId, claim, async () => {
        id = await openProblemAlert(
          tx,
          { model: services.model, caller, now: services.now() },
          { machine, problem, report, isOutOfUse: is_out_of_use === true },
        );
        return { status: 201, body: `{"data":${(await readRow(tx, entity, caller, { id })).data}}` };
      }),
    );
    if (id !== undefined) await services.live.publish([{ entity: entity.name, id, type: 'created' }]);
    return new JsonText(response.body);
  });
};
