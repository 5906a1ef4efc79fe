/**
 * Loads modules of the server in processes that tests start: from a build of the same sources if there is one, because
 * each such process would otherwise compile the server and the thread of its database.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './sources';

/** `name`: path of the module in `server/`, without its extension. */
export const importServerModule = <T>(name: string): Promise<T> =>
  import(
    pathToFileURL(
      process.env.SWEEPLINE_TEST_BUILT ? join(root, 'dist/server', `${name}.js`) : join(root, 'server', `${name}.ts`),
    ).href
  ) as Promise<T>;
