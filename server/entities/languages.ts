/** Languages: the call that asks for all of them (specification, section 7). */
import { registry } from '../../schema/index';
import { readList } from '../api/entity/list';
import { apiPrefix, sendJsonText, queryStringOf } from '../api/http';
import { listParameters } from '../api/queryParameters';
import type { EntityHooks } from './types';

export const languagesServer: EntityHooks = {
  async routes(app) {
    const { services } = app;
    const path = `${apiPrefix}/languages/all`;
    app.get(path, { config: { parameters: listParameters } }, async (request, reply) => {
      const asked = { search: queryStringOf(request), path: `${services.env.publicUrl}${path}` };
      return sendJsonText(reply, await readList(services, registry.languages, request.caller, asked));
    });
  },
};
