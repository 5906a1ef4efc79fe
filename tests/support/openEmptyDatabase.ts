/** A database of this test run without tables. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../server/db/core/database';
import type { ConnectionPool } from '../../server/db/driver/connectionPool';
import { openPostgres } from '../../server/db/driver/openPostgres';
import { Embedded } from '../../server/db/embedded/embedded';
import { createEmbeddedDatabase } from '../../server/db/embedded/openPglite';
import { executeOnServer, urlOf } from './databases';
import { databaseKind } from './startTestApp';

export interface EmptyDatabase {
  database: Database;
  pool: ConnectionPool;
  /** Closes and deletes the database. */
  drop(): Promise<void>;
}

let count = 0;

export async function openEmptyDatabase(log: FastifyBaseLogger): Promise<EmptyDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (databaseKind === 'pglite' || !server) {
    const database = createEmbeddedDatabase(new Embedded(), { log });
    return { ...database, drop: () => database.database.close() };
  }
  count += 1;
  const name = `unmigrated_${process.pid}_${count}`;
  await executeOnServer(server, `create database ${name}`);
  const database = openPostgres({ databaseUrl: urlOf(server, name), log });
  return {
    ...database,
    drop: async () => {
      await database.database.close();
      await executeOnServer(server, `drop database ${name} with (force)`);
    },
  };
}
