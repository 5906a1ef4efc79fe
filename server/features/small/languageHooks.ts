/** Hooks of languages: the call that lists all of them (specification, section 7). */
import type { EntityHooks } from '../../context/services';
import { readList } from '../../crud/read/readList';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix, queryStringOf } from '../../http/http';

export const languageHooks: EntityHooks = {
  async routes(app) {
    const { services } = app;
    serve(app, 'GET /languages/all', async (_input, request) => {
      const listRequest = {
        search: queryStringOf(request),
        path: `${services.env.publicUrl}${apiPrefix}/languages/all`,
      };
      return new JsonText(await readList(services, services.model.require('languages'), request.caller, listRequest));
    });
  },
};
