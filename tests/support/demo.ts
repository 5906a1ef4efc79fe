/** Runs once before the end-to-end tests: builds, and starts the product with its demo fleet, unless E2E_URL names one that runs already. */
import { type Server, startServer } from './server';

export async function setup(): Promise<() => Promise<void>> {
  let server: Server | undefined;
  if (!process.env.E2E_URL) {
    // Each role signs in once per file, all from one address.
    server = await startServer({ env: { RATE_LIMIT: 'off' } });
    process.env.E2E_URL = server.url;
  }
  return async () => {
    await server?.stop();
  };
}
