/**
 * `npm run db:generate`: writes the migration from the committed ones to the declared tables. `-- --name words` adds
 * one; without a name the initial migration is rewritten.
 */
import { run } from './lib/run.mjs';

process.exit(await run('node_modules/.bin/tsx', ['server/db/migrations/generate.ts', ...process.argv.slice(2)]));
