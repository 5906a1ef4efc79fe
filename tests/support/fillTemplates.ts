/**
 * Fills the two templates of the databases of tests, one with the base rows only and one with the tenants of `addWorld`
 * as well, and stores their ids: `tsx fillTemplates.ts <folder> [database url]`. A separate process, because vitest's
 * set-up cannot start workers from sources.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { seedBase } from '../../server/db/base/seedBase';
import type { Database } from '../../server/db/core/database';
import type * as openDatabaseModule from '../../server/db/open/openDatabase';
import { executeOnServer, urlOf, worldTemplateOf } from './databases';
import { importServerModule } from './importServerModule';
import { nextNumber } from './rows';
import { addWorld } from './world';

const { openDatabase } = await importServerModule<typeof openDatabaseModule>('db/open/openDatabase');
const [folder = '', baseUrl] = process.argv.slice(2);
const baseName = baseUrl ? new URL(baseUrl).pathname.slice(1) : join(folder, 'base');
const worldName = worldTemplateOf(baseName);

async function fillTemplate(name: string, fill: (db: Database) => Promise<unknown>): Promise<void> {
  const dataDir = baseUrl ? folder : name;
  const databaseUrl = baseUrl && urlOf(baseUrl, name);
  const db = await openDatabase({ dataDir, databaseUrl, log: pino({ level: 'warn' }) });
  await fill(db);
  await db.close();
}

await fillTemplate(baseName, seedBase);
if (baseUrl) await executeOnServer(urlOf(baseUrl, 'postgres'), `create database ${worldName} template ${baseName}`);
else cpSync(baseName, worldName, { recursive: true });
await fillTemplate(worldName, async (db) => {
  const world = await addWorld(db);
  writeFileSync(join(folder, 'world.json'), JSON.stringify({ world, count: nextNumber() }));
});
