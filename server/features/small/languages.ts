/** Languages: the call that asks for all of them (specification, section 7). */
import type { EntityHooks } from '../../context/services';
import { readList } from '../../crud/read/list';
import { apiPrefix, queryStringOf, sendJsonText } from '../../http/http';
import { listParameters } from '../../http/queryParameters';

export const languagesServer: EntityHooks = {
  async routes(app) {
    const { services } = app;
    const path = `${apiPrefix}/languages/all`;
    app.get(path, { config: { parameters: listParameters } }, async (request, reply) => {
      const asked = { search: queryStringOf(request), path: `${services.env.publicUrl}${path}` };
      return sendJsonText(reply, await readList(services, services.model.require('languages'), request.caller, asked));
    });
  },
};
