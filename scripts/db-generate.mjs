/**
 * `npm run db:generate -- --name words`: adds a migration from the committed migrations to the declared tables. Without
 * a name, rewrites the initial migration.
 */
import { run } from './lib/run.mjs';

process.exit(await run('node_modules/.bin/tsx', ['server/db/migrations/generate.ts', ...process.argv.slice(2)]));
