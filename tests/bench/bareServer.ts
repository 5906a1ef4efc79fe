/**
 * The fastest possible server, which the benchmark calls the limit: a bare node:http handler that runs one SQL
 * statement with an exact count, whose JSON PostgreSQL builds, without authorization. Uses the driver's connection
 * pool, or the product's for an embedded database. Runs as a separate process:
 * `tsx tests/bench/bareServer.ts <port> <postgres url | folder of an embedded database>`.
 *
 * - `PUT /` sets the statement.
 * - `GET /17/4` runs it with the parameters 17 and 4.
 * - `GET /copy` runs its COPY of the same rows.
 */
import { createServer, type IncomingMessage } from 'node:http';
import postgres from 'postgres';
import { sessionSettings } from '../../server/db/driver/sessionSettings';
import { Embedded } from '../../server/db/embedded/embedded';
import { createEmbeddedPool } from '../../server/db/embedded/openPglite';
import type { LimitStatement } from './scenario';

const [port = '0', database = ''] = process.argv.slice(2);
const server = /^postgres/.test(database)
  ? postgres(database, { max: 20, connection: sessionSettings, onnotice: () => {} })
  : undefined;
const embeddedPool = server ? undefined : createEmbeddedPool(new Embedded(database));
let statement: LimitStatement = { text: 'select 1' };

async function runStatement(text: string, params: readonly unknown[]): Promise<Record<string, unknown> | undefined> {
  const rows = server
    ? await server.unsafe(text, params as never[], { prepare: true })
    : await embeddedPool?.query(text, params, { prepare: true });
  return rows?.[0];
}

const listener = createServer(async (request, response) => {
  try {
    if (request.method === 'PUT') {
      statement = JSON.parse(await readBody(request)) as LimitStatement;
      return respond(200, '{}');
    }
    if (request.url === '/copy') {
      await runStatement(`copy (${statement.copy}) to '/dev/null' (format csv, header)`, []);
      return respond(200, '{}');
    }
    const body = statement.fields && (JSON.parse(await readBody(request)) as Record<string, unknown>);
    const params = body ? statement.fields?.map((name) => body[name]) : parametersIn(request.url ?? '/');
    const row = await runStatement(statement.text, params ?? []);
    return respond(body ? 201 : 200, `{"data":${row?.data},"total":${row?.total}}`);
  } catch (error) {
    return respond(500, JSON.stringify({ message: String(error) }));
  }

  function respond(status: number, body: string): void {
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
  }
});

const parametersIn = (path: string) => (path === '/' ? [] : path.slice(1).split('/').map(decodeURIComponent));

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

listener.keepAliveTimeout = 60_000;
listener.listen(Number(port), '127.0.0.1', () => process.send?.('ready') ?? console.log('ready'));
process.once('SIGTERM', () => process.exit(0));
