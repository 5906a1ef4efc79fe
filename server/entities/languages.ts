/** Languages: the call that asks for all of them (specification, section 7). */
import { registry } from '../../schema/index';
import { listAnswer } from '../api/entity/list';
import { base, json, searchOf } from '../api/http';
import { listParameters } from '../api/queryParameters';
import type { EntityServer } from './types';

export const languagesServer: EntityServer = {
  async routes(app) {
    const { services } = app;
    const path = `${base}/languages/all`;
    app.get(path, { config: { parameters: listParameters } }, async (request, reply) => {
      const asked = { search: searchOf(request), path: `${services.env.publicUrl}${path}` };
      return json(reply, await listAnswer(services, registry.languages, request.caller, asked));
    });
  },
};
