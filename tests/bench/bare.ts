/**
 * The limit: a bare node:http handler with the product's driver and pool, SQL written by hand, JSON built by PostgreSQL, an exact count, nobody's rights asked.
 * A process of its own: `tsx tests/bench/bare.ts <port> <postgres url | folder of an embedded database>`.
 */
import { createServer } from 'node:http';
import { Embedded } from '../../server/db/embedded';
import { poolOver } from '../../server/db/pglite';
import { type Pool, poolOf, sessionSettings } from '../../server/db/pool';

const [port = '0', where = ''] = process.argv.slice(2);
const isServer = /^postgres/.test(where);
const pool: Pool = isServer ? poolOf({ url: where, max: 20, connection: sessionSettings }) : poolOver(new Embedded(where));

const fields = `m.serial_number, m.reference_number, m.inventory_number, m.inventory_status, m.type_id, m.custom_type, m.fleet_id, m.location_id, m.tracker_id, f.client_id,
  m.stock_state, m.is_dummy, m.note, m.offline_after, m.working_radius_m2, m.allow_sms, m.allow_email, m.purchase_date, m.price::text, m.depreciation_rate, m.last_service, m.next_service_due,
  m.total_maintenance_cost::text, m.previous_cleaning_time, m.previous_charging_time, m.previous_operating_time, s.status, s.status_since, (select g.reason from segments g where g.machine_id = m.id and g.to_at is null) as status_reason, s.mode, s.battery,
  s.latitude, s.longitude, s.last_seen, s.operating_time, s.cleaning_time, s.charging_time, s.teaching_time, s.robotic_time,
  m.previous_cleaning_time + s.cleaning_time as overall_cleaning_time, m.previous_charging_time + s.charging_time as overall_charging_time,
  (case when m.price is null then null when m.depreciation_rate is null or m.purchase_date is null or current_date <= m.purchase_date then m.price
    else round(greatest(0, m.price - m.price * m.depreciation_rate::numeric / 100 * (dep.y + (current_date - (m.purchase_date + dep.y * interval '1 year')::date)::numeric
      / ((m.purchase_date + (dep.y + 1) * interval '1 year')::date - (m.purchase_date + dep.y * interval '1 year')::date))), 2) end)::text as book_value,
  m.id, m.created_at, m.updated_at, m.version`;
const fleet =
  "json_build_object('name', f.name, 'client_id', f.client_id, 'color', f.color, 'working_radius', f.working_radius, 'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'version', f.version) as fleet";
const location = `case when l.id is null then null else json_build_object('name', l.name, 'fleet_id', l.fleet_id, 'address', l.address, 'postal_code', l.postal_code, 'city', l.city, 'latitude', l.latitude,
  'longitude', l.longitude, 'time_zone', l.time_zone, 'opening_hours', l.opening_hours, 'contact_name', l.contact_name, 'contact_email', l.contact_email, 'contact_phone', l.contact_phone,
  'client_id', f.client_id, 'id', l.id, 'created_at', l.created_at, 'updated_at', l.updated_at, 'version', l.version) end as location`;
const joins =
  'join machines_state s on s.id = m.id join fleets f on f.id = m.fleet_id left join locations l on l.id = m.location_id cross join lateral (select extract(year from age(current_date, m.purchase_date))::int as y) dep';
const living = 'm.deleted_at is null';

/** A page: its rows found first, then read; the count beside it. */
const page = (where: string, includes = `, ${fleet}, ${location}`) => `
  select (select coalesce(json_agg(r), '[]') from (
    select ${fields}${includes} from (select m.id from machines m where ${living} and ${where} order by m.serial_number collate "und-x-icu", m.id limit 25) p
    join machines m on m.id = p.id ${joins} order by m.serial_number collate "und-x-icu", m.id) r)::text as data,
  (select count(*) from machines m where ${living} and ${where})::int as total`;

const statements: Record<string, { text: string; params(path: string[]): (string | number)[] }> = {
  list: { text: page('m.stock_state = $1'), params: () => ['deployed'] },
  anew: { text: page('m.stock_state = $1 and m.id > $2::int'), params: ([after = '0']) => ['deployed', Number(after)] },
  // What most people write: the offset over the whole join.
  deep: {
    text: `select (select coalesce(json_agg(r), '[]') from (select ${fields} from machines m ${joins} where ${living} order by m.serial_number collate "und-x-icu", m.id limit 25 offset 49975) r)::text as data,
      (select count(*) from machines m where ${living})::int as total`,
    params: () => [],
  },
  // The expression keeps every index out: the unindexed scan.
  search: {
    text: `select (select coalesce(json_agg(r), '[]') from (select ${fields} from machines m ${joins} where ${living} and (m.serial_number || '') ilike $1 order by m.serial_number collate "und-x-icu", m.id limit 25) r)::text as data,
      (select count(*) from machines m where ${living} and (m.serial_number || '') ilike $1)::int as total`,
    params: ([word = '']) => [`%${word}%`],
  },
  one: {
    text: `select row_to_json(r)::text as data, 1 as total from (select ${fields}, ${fleet}, ${location}, row_to_json(t) as type, row_to_json(k) as tracker, row_to_json(c) as client
      from machines m ${joins} left join types t on t.id = m.type_id left join trackers k on k.id = m.tracker_id join clients c on c.id = f.client_id where ${living} and m.id = $1) r`,
    params: ([id = '1']) => [Number(id)],
  },
};

const create = `with made as (insert into machines (serial_number, fleet_id, type_id, stock_state, note) values ($1, $2, $3, $4, $5) returning *)
  select row_to_json(made)::text as data from made`;

const server = createServer(async (request, response) => {
  const [, name = '', ...path] = (request.url ?? '').split('/');
  try {
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { serial_number, fleet_id, type_id, stock_state, note } = JSON.parse(Buffer.concat(chunks).toString());
      const [row] = await pool.unsafe(create, [serial_number, fleet_id, type_id, stock_state, note], { prepare: true });
      return answer(201, `{"data":${row?.data}}`);
    }
    const statement = statements[name];
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
