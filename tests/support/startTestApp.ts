/** The real application on its own database, called without a network. Each test file has one. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Entity } from '../../schema/dsl/entity';
import { buildApp } from '../../server/app/buildApp';
import { openProcess } from '../../server/app/openProcess';
import { startServices } from '../../server/app/startServices';
import { createSession } from '../../server/auth/sessions';
import { readEnv } from '../../server/context/env';
import type { Services } from '../../server/context/services';
import type { FreeBytes } from '../../server/context/storage';
import type { Database } from '../../server/db/core/database';
import { startThread } from '../../server/shared/startThread';
import { contractOf } from './apiContract';
import { compiledPglite } from './compiledPglite';
import { executeOnServer, urlOf, worldTemplateOf } from './databases';
import { skipNumbersTo } from './rows';
import { startBuiltThread } from './startBuiltThread';
import type { World } from './world';

type Payload = InjectOptions['payload'];
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

export interface TestResponse<T> {
  status: number;
  /** Parsed if the response is JSON, else its text. */
  body: T;
  text: string;
  bytes: Buffer;
  headers: Record<string, string | undefined>;
}

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  db: Database;
  /** Data directory, which contains the folder `outbox`. */
  dataDir: string;
  /**
   * Calls `/api/v1/<path>`, or `path` itself if it begins with a slash. `caller`: a user's id or a token; without it
   * the call is anonymous. Sends objects as JSON, strings and buffers unchanged.
   */
  call<T = unknown>(
    caller: number | string | undefined,
    method: Method,
    path: string,
    body?: Payload,
    headers?: Record<string, string>,
  ): Promise<TestResponse<T>>;
  /** Token of a new session of a user. */
  createSessionToken(userId: number): Promise<string>;
  close(): Promise<void>;
}

export interface TestOptions {
  database?: Database['kind'];
  /** Replaces the product's entities. The test must create the tables of entities that the product lacks. */
  entities?: readonly Entity[];
  /** Environment variables in addition to those of the tests. */
  env?: Record<string, string>;
  /** Replaces the function that reads the free disk space. */
  freeBytes?: FreeBytes;
}

// The alias of `vitest.config.ts` must match the file; if it did not, tests would just be slower.
if (process.env.SWEEPLINE_TEST_BUILT && startThread !== startBuiltThread)
  throw new Error('Threads do not come from the build: fix the alias in vitest.config.ts.');

/** Kind of database in this test run. */
export const databaseKind: Database['kind'] =
  process.env.SWEEPLINE_TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite';
let databaseCount = 0;

/** Starts the application on a database that contains the base rows only. */
export const startTestApp = (options?: TestOptions): Promise<TestApp> => startApp(copyDatabase, options);

/**
 * Starts the application on a database that contains the tenants of `addWorld`. Copied, because adding them takes as
 * long as starting the application.
 */
export async function startTestWorld(options?: TestOptions): Promise<{ app: TestApp; world: World }> {
  const app = await startApp(copyWorld, options);
  return { app, world: readWorld() };
}

/** Ids of the tenants in a database of `copyWorld`. */
export function readWorld(): World {
  const { world, count } = JSON.parse(readFileSync(process.env.TEST_WORLD ?? '', 'utf8')) as {
    world: World;
    count: number;
  };
  skipNumbersTo(count);
  return world;
}

async function startApp(
  copyTo: typeof copyDatabase,
  { database = databaseKind, entities, env = {}, freeBytes }: TestOptions = {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-test-'));
  const copy = await copyTo(dataDir, database);
  const settings = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: copy.url,
    SWEEPLINE_DEMO: '0',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'fatal',
    MQTT_PORT: '0',
    ...env,
  });
  const mismatches: Error[] = [];
  const processStart = openProcess(settings, { onRowMismatch: (error) => mismatches.push(error) });
  // Throws the mismatch itself, because a 500 response or a log entry of background work would not name the statement.
  const requireMatchingRows = () => {
    const [firstMismatch] = mismatches.splice(0);
    if (firstMismatch) throw firstMismatch;
  };
  // Without timers: tests run background work themselves, and it cannot start at another time.
  const startedServices = await startServices(settings, { processStart, entities, isIdle: true, freeBytes });
  const { services } = startedServices;
  const app = await buildApp(services, () => undefined);
  const contract = contractOf(services.model.entities);
  const tokens = new Map<number, string>();

  const createSessionToken = (userId: number) => services.db.transaction((tx) => createSession(tx, userId));
  const loadToken = async (userId: number) => {
    const token = tokens.get(userId) ?? (await createSessionToken(userId));
    tokens.set(userId, token);
    return token;
  };

  return {
    app,
    services,
    db: services.db,
    dataDir,
    createSessionToken,
    async call<T>(
      caller: number | string | undefined,
      method: Method,
      path: string,
      body?: Payload,
      headers: Record<string, string> = {},
    ): Promise<TestResponse<T>> {
      const token = typeof caller === 'number' ? await loadToken(caller) : caller;
      const response = await app.inject({
        method,
        url: path.startsWith('/') ? path : `/api/v1/${path}`,
        payload: body,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      });
      requireMatchingRows();
      const type = String(response.headers['content-type'] ?? '');
      contract.check(method, path, {
        status: response.statusCode,
        type,
        text: response.body,
        isPrecognition: response.headers.precognition !== undefined,
      });
      const isJson = /\bjson/.test(type);
      return {
        status: response.statusCode,
        body: (isJson ? response.json() : response.body) as T,
        text: response.body,
        bytes: response.rawPayload,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [
            name,
            value === undefined ? undefined : String(value),
          ]),
        ),
      };
    },
    async close() {
      // Event streams may still hold idle connections.
      app.server.closeAllConnections();
      await app.close();
      await startedServices.stop();
      await copy.drop();
      rmSync(dataDir, { recursive: true, force: true });
      requireMatchingRows();
    },
  };
}

export interface DatabaseCopy {
  url: string | undefined;
  drop(): Promise<void>;
}

/** Copies the template with the base rows: on the server of this test run, or to a data directory. */
export const copyDatabase = (dataDir: string, database: Database['kind'] = databaseKind): Promise<DatabaseCopy> =>
  copyTemplate(requireTemplate(), dataDir, database);

/** As `copyDatabase`, with the tenants whose ids `readWorld` returns. */
export const copyWorld = (dataDir: string, database: Database['kind'] = databaseKind): Promise<DatabaseCopy> =>
  copyTemplate(worldTemplateOf(requireTemplate()), dataDir, database);

const copyTemplate = (template: string, dataDir: string, database: Database['kind']): Promise<DatabaseCopy> =>
  database === 'postgres' ? copyOnServer(template) : copyFolder(template, dataDir);

const requireTemplate = () => {
  const template = process.env.TEST_TEMPLATE;
  if (!template)
    throw new Error('Run these tests by vitest: tests/support/databases.ts makes the databases that they start from.');
  return template;
};

async function copyFolder(template: string, dataDir: string): Promise<DatabaseCopy> {
  await compiledPglite;
  cpSync(join(template, 'pglite'), join(dataDir, 'pglite'), { recursive: true });
  return { url: undefined, drop: async () => {} };
}

async function copyOnServer(template: string): Promise<DatabaseCopy> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run the tests with SWEEPLINE_TEST_DATABASE=postgres.');
  databaseCount += 1;
  const name = `test_${process.pid}_${databaseCount}`;
  await executeOnServer(server, `create database ${name} template ${template}`);
  return { url: urlOf(server, name), drop: () => executeOnServer(server, `drop database ${name} with (force)`) };
}
