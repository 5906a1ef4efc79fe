/** `POST /machines/{id}/problems`: reports a problem of a machine. */

import { boolean, choice, longtext } from '../../../schema/dsl/field';
import { problemKinds } from '../../../schema/entities/alerts';
import { requirePermission } from '../../context/caller';
import type { Routes } from '../../context/services';
import { readRow } from '../../crud/read/list';
import {
  type Answer,
  claimIdempotencyKey,
  idempotencyClaimOf,
  storeIdempotentResponse,
} from '../../crud/write/idempotency';
import { sendJsonText } from '../../http/http';
import { readBodyFields } from '../../http/readBody';
import { openReport, type ProblemReport } from '../alerts/report';
import { machinePath, requireMachine } from './requireMachine';

const fields = {
  problem: choice(problemKinds, { required: true }),
  report: longtext({ required: true, max: 2000 }),
  is_out_of_use: boolean(),
};

export const problemRoutes: Routes = async (app) => {
  const { services } = app;
  const entity = services.model.require('alerts');

  app.post(`${machinePath}/problems`, async (request, reply) => {
    const { caller } = request;
    requirePermission(caller, 'machines.report');
    const machine = await requireMachine(request);
    const sent = await readBodyFields(request, fields, entity.name);
    const { problem, report } = sent as Pick<ProblemReport, 'problem' | 'report'>;
    const claimed = idempotencyClaimOf(request, sent);
    const { id, answer } = await services.db.transaction(async (tx): Promise<{ id?: number; answer: Answer }> => {
      const earlier = claimed && (await claimIdempotencyKey(tx, caller.userId, claimed));
      if (earlier) return { answer: earlier };
      const made = await openReport(
        tx,
        { model: services.model, caller, now: services.now() },
        { machine, problem, report, isOutOfUse: sent.is_out_of_use === true },
      );
      const first = { status: 201, body: `{"data":${(await readRow(tx, entity, caller, { id: made })).data}}` };
      if (claimed) await storeIdempotentResponse(tx, { userId: caller.userId, key: claimed.key, answer: first });
      return { id: made, answer: first };
    });
    if (id !== undefined) await services.live.publish([{ entity: entity.name, id, type: 'created' }]);
    return sendJsonText(reply.status(answer.status), answer.body);
  });
};
