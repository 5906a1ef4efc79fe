/**
 * The limit: a bare node:http handler over the driver's own pool (embedded: the product's, the only one there is), SQL
 * written by hand, JSON built by PostgreSQL, an exact count, no authorization. A process of its own: `tsx
 * tests/bench/bare.ts <port> <postgres url | folder of an embedded database>`.
 */
import { createServer } from 'node:http';
import postgres from 'postgres';
import { sessionSettings } from '../../server/db/driver/connection';
import { Embedded } from '../../server/db/embedded/embedded';
import { poolOver } from '../../server/db/embedded/openPglite';
import { limits } from './limits';

const [port = '0', where = ''] = process.argv.slice(2);
const run = /^postgres/.test(where) ? onServer() : onEmbedded();

function onServer(): (text: string, params: readonly unknown[]) => Promise<Record<string, unknown>[]> {
  const pool = postgres(where, { max: 20, connection: sessionSettings, onnotice: () => {} });
  return async (text, params) => pool.unsafe(text, params as never[], { prepare: true });
}

function onEmbedded(): (text: string, params: readonly unknown[]) => Promise<Record<string, unknown>[]> {
  const pool = poolOver(new Embedded(where));
  return (text, params) => pool.query(text, params, { prepare: true });
}

const create = `with made as (insert into machines (serial_number, fleet_id, type_id, stock_state, note) values ($1, $2, $3, $4, $5) returning *)
  select row_to_json(made)::text as data from made`;

const server = createServer(async (request, response) => {
  const [, entity = '', question = '', ...path] = (request.url ?? '').split('/');
  try {
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { serial_number, fleet_id, type_id, stock_state, note } = JSON.parse(Buffer.concat(chunks).toString());
      const [row] = await run(create, [serial_number, fleet_id, type_id, stock_state, note]);
      return answer(201, `{"data":${row?.data}}`);
    }
    const statement = limits[entity]?.[question];
    if (!statement) return answer(404, '{}');
    const [row] = await run(statement.text, statement.params(path));
    return answer(200, `{"data":${row?.data},"total":${row?.total}}`);
  } catch (error) {
    return answer(500, JSON.stringify({ message: String(error) }));
  }

  function answer(status: number, body: string): void {
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready') ?? console.log('ready'));
process.once('SIGTERM', () => process.exit(0));
