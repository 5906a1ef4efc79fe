/**
 * The limit: a bare node:http handler with the product's driver and pool, SQL written by hand, JSON built by PostgreSQL, an exact count, nobody's rights asked.
 * A process of its own: `tsx tests/bench/bare.ts <port> <postgres url | folder of an embedded database>`.
 */
import { createServer } from 'node:http';
import { Embedded } from '../../server/db/embedded';
import { poolOver } from '../../server/db/pglite';
import { type Pool, poolOf, sessionSettings } from '../../server/db/pool';
import { limits } from './limits';

const [port = '0', where = ''] = process.argv.slice(2);
const isServer = /^postgres/.test(where);
const pool: Pool = isServer ? poolOf({ url: where, max: 20, connection: sessionSettings }) : poolOver(new Embedded(where));

const create = `with made as (insert into machines (serial_number, fleet_id, type_id, stock_state, note) values ($1, $2, $3, $4, $5) returning *)
  select row_to_json(made)::text as data from made`;

const server = createServer(async (request, response) => {
  const [, entity = '', question = '', ...path] = (request.url ?? '').split('/');
  try {
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { serial_number, fleet_id, type_id, stock_state, note } = JSON.parse(Buffer.concat(chunks).toString());
      const [row] = await pool.unsafe(create, [serial_number, fleet_id, type_id, stock_state, note], { prepare: true });
      return answer(201, `{"data":${row?.data}}`);
    }
    const statement = limits[entity]?.[question];
    if (!statement) return answer(404, '{}');
    const [row] = await pool.unsafe(statement.text, statement.params(path), { prepare: true });
    return answer(200, `{"data":${row?.data},"total":${row?.total}}`);
  } catch (error) {
    return answer(500, JSON.stringify({ message: String(error) }));
  }

  function answer(status: number, body: string): void {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }).end(body);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready') ?? console.log('ready'));
process.once('SIGTERM', () => process.exit(0));
