/**
 * Adds many clients and users to a demo by copying its rows in SQL: users with their roles, links and addresses, and
 * clients with a fleet each. A separate process, since the embedded database serves only one: `tsx
 * tests/bench/fillCrowd.ts 100000` (with DATABASE_URL or DATA_DIR).
 */
import { type SQL, sql } from 'drizzle-orm';
import pino from 'pino';
import { readEnv } from '../../server/context/env';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';

/** Id of the n-th copy of row `id`. Requires that the ids of the demo have no gaps. */
const copiedIdSql = (size: number, id: SQL): SQL => sql`(${size}::int * n + ${id})::int`;

interface CopyOptions {
  size: number;
  count: number;
  /** Values of the columns that differ from the copied row. */
  overrides: Record<string, SQL>;
}

/** Copies rows `o` in random order until the table has `count` rows. */
async function copyRows(db: Queries, table: string, { size, count, overrides }: CopyOptions): Promise<void> {
  const names = (
    await db.select(
      { name: pg.text },
      sql`select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`,
    )
  ).map(({ name }) => name);
  const columns = sql.join(
    names.map((name) => sql`${sql.identifier(name)}`),
    sql`, `,
  );
  const values = sql.join(
    names.map((name) => overrides[name] ?? sql`o.${sql.identifier(name)}`),
    sql`, `,
  );
  const key = names.includes('users_id') ? sql`o.users_id` : names.includes('user_id') ? sql`o.user_id` : sql`o.id`;
  await db.rows(sql`
    insert into ${sql.identifier(table)} (${columns}) overriding system value
    select ${values} from ${sql.identifier(table)} o, generate_series(1, ${Math.ceil(count / size)}::int) n where ${copiedIdSql(size, key)} <= ${count}::int order by md5(${key}::text || n)`);
  if (names.includes('id') && !table.endsWith('_state'))
    await db.rows(sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.identifier(table)}`);
}

const readMaxId = async (db: Queries, table: string): Promise<number> =>
  (await db.selectOne({ n: pg.integer }, sql`select max(id) as n from ${sql.identifier(table)}`))?.n ?? 0;

/**
 * Adds clients and users until there are `count` of each. Drops and rebuilds word indexes, since filling them row by
 * row takes minutes.
 */
async function fillCrowd(db: Queries, count: number): Promise<void> {
  await db.rows(sql`set local statement_timeout = 0`);
  const indexes = await db.select(
    { name: pg.text, definition: pg.text },
    sql`select indexname as name, indexdef as definition from pg_indexes where tablename in ('clients', 'users', 'fleets') and indexdef like '%USING gin%'`,
  );
  for (const { name } of indexes) await db.rows(sql`drop index ${sql.identifier(name)}`);
  await copyTables(db, count);
  for (const { definition } of indexes) await db.rows(sql.raw(definition));
}

async function copyTables(db: Queries, count: number): Promise<void> {
  const clients = await readMaxId(db, 'clients');
  await copyRows(db, 'clients', {
    size: clients,
    count,
    overrides: { id: copiedIdSql(clients, sql`o.id`), name: sql`o.name || ' ' || n` },
  });
  await db.rows(
    sql`insert into fleets (name, client_id) select 'Fleet of ' || c.name, c.id from clients c where c.id > ${clients}::int`,
  );
  const users = await readMaxId(db, 'users');
  const copiedLinks = {
    id: copiedIdSql(users, sql`o.id`),
    user_id: copiedIdSql(users, sql`o.user_id`),
    users_id: copiedIdSql(users, sql`o.users_id`),
    email: sql`n || '.' || o.email`,
  };
  const clientIdSql = sql`case when o.client_id is not null then (o.client_id + n * ${clients}::int - 1) % ${count}::int + 1 end`;
  await copyRows(db, 'users', { size: users, count, overrides: { ...copiedLinks, client_id: clientIdSql } });
  for (const table of [
    'users_roles',
    'users_clients',
    'users_countries',
    'users_fleets',
    'users_locations',
    'users_machines',
  ])
    await copyRows(db, table, { size: users, count, overrides: copiedLinks });
  await copyRows(db, 'user_emails', {
    size: users,
    count,
    overrides: { ...copiedLinks, id: sql`nextval('user_emails_id_seq')`, token_hash: sql`null` },
  });
  await db.rows(
    sql`update users_state s set last_login = o.last_login from users_state o where s.id > ${users}::int and o.id = (s.id - 1) % ${users}::int + 1 and o.last_login is not null`,
  );
}

const env = readEnv(process.env);
const db = await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log: pino({ level: 'warn' }) });
try {
  await db.transaction((tx) => fillCrowd(tx, Number(process.argv[2] ?? 100_000)));
  await db.rows(sql.raw('analyze'));
} finally {
  await db.close();
}
