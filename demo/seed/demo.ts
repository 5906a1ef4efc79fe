/**
 * Demo data: clients in five countries with fleets, sites, machines, users and ninety days of history. The same seed
 * yields the same data.
 */
import { hash } from '@node-rs/argon2';
import { sql } from 'drizzle-orm';
import { advisoryLocks } from '../../server/db/core/advisoryLocks';
import type { Database, Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { countFleetDays, countFleetStates, fleetSumTriggerNames } from '../../server/db/schema/fleetSumTriggers';
import { foldFleetSums } from '../../server/features/locations/fleetSums';
import { insertRows, newIds, updateColumns, withBareTables } from './load';
import { drawLogo, logoName, type SeedLogo } from './logos';
import { generateMachines } from './machines';
import { machineTypes } from './names';
import { historyDays, recentDays, seedOlderHistory } from './olderHistory';
import { demoPassword, generateInvitations, generatePeople } from './people';
import { createRandom } from './random';
import { seedAlerts } from './seedAlerts';
import { seedColumns } from './seedColumns';
import { seedAllFloors } from './seedFloors';
import { seedHistory } from './seedHistory';
import { seedStays } from './seedStays';
import { seedServicePlans } from './service';
import { generateClients, generateFleets, generateLocations, timestampsOf } from './sites';

export { demoLogins, demoPassword } from './people';

/** Number of machines, seed of the random numbers, and present instant of a demo. */
export interface DemoSize {
  seed?: number;
  machines?: number;
  now?: Date;
}

/**
 * Loads the demo in one transaction if the database contains base rows only. Loads the last days of history;
 * `startSeedingOlderHistory` adds the rest.
 */
export async function seedDemo(db: Database, size: DemoSize = {}): Promise<void> {
  await seedInto(db, size, loadDemo);
  await foldFleetSums(db);
  // `seedHistory` has already analyzed the other tables.
  await db.rows(
    sql`analyze clients, fleets, types, trackers, trackers_state, users, users_state, users_roles, invitations,
      machine_watch, machine_logs, fleet_days, fleet_states`,
  );
}

/**
 * Loads the demo of any size with its whole history, into an empty database that nobody else uses. Runs in one
 * transaction, so an interrupted load leaves the database empty.
 */
export async function seedWholeDemo(db: Database, size: DemoSize = {}): Promise<void> {
  await seedInto(db, size, async (tx, context) => {
    // Lets sorts and index builds over many rows run in memory.
    await tx.rows(sql`set local work_mem = '64MB'`);
    await tx.rows(sql`set local maintenance_work_mem = '128MB'`);
    await switchFleetSums(tx, 'disable');
    await withBareTables(
      tx,
      ['machines', 'machines_state', 'machine_days', 'trackers', 'trackers_state', 'service_by_hand'],
      async () => {
        await loadDemo(tx, context);
        await seedOlderHistory(tx, context);
      },
    );
    // Without statistics, the search for the sites of floors would read all machines for each location.
    await tx.rows(sql`analyze users, users_machines, users_fleets, users_locations, fleets, locations, types`);
    await seedAllFloors(tx, context);
    await switchFleetSums(tx, 'enable');
    await tx.rows(sql.raw(countFleetStates));
    await tx.rows(sql.raw(countFleetDays));
  });
  await foldFleetSums(db);
  await db.rows(sql`analyze`);
}

/** Switches the triggers that maintain the sums of fleets with every write; a load counts everything once instead. */
async function switchFleetSums(tx: Queries, to: 'disable' | 'enable'): Promise<void> {
  for (const [table, triggers] of Object.entries(fleetSumTriggerNames))
    for (const trigger of triggers) await tx.rows(sql.raw(`alter table ${table} ${to} trigger ${trigger}`));
}

/** Runs `work` in a transaction if the database contains base rows only. */
async function seedInto(
  db: Database,
  { seed = 1, machines = 1500, now = new Date() }: DemoSize,
  work: (tx: Queries, context: LoadContext) => Promise<void>,
): Promise<void> {
  // Computed in a thread of its own while rows are generated.
  const passwordHash = hash(demoPassword);
  passwordHash.catch(() => {});
  await db.transaction(async (tx) => {
    // If several processes start at once, only one of them loads the demo.
    await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.demo})`);
    if (await isDatabaseEmpty(tx)) await work(tx, { seed, machines, now, passwordHash });
  });
}

/** Whether the database contains base rows only, without a demo or entered data. */
export async function isDatabaseEmpty(db: Queries): Promise<boolean> {
  const row = await db.selectOne(
    { has_rows: pg.boolean },
    sql`select exists (select 1 from clients) or exists (select 1 from machines) as has_rows`,
  );
  return !row?.has_rows;
}

interface LoadContext extends Required<DemoSize> {
  passwordHash: Promise<string>;
}

async function loadDemo(tx: Queries, { seed, machines: count, now, passwordHash }: LoadContext): Promise<void> {
  // Generating and loading a large demo takes longer than either timeout.
  await tx.rows(sql`set local statement_timeout = 0`);
  await tx.rows(sql`set local idle_in_transaction_session_timeout = 0`);
  const random = createRandom(seed);
  const growth = Math.max(1, Math.sqrt(count / 1500));
  const scale = (number: number) => Math.round(number * growth);
  const idsFor = (table: string, number: number) => newIds(tx, table, number);
  const countryIds = await idsByName(tx, sql`select id, name from countries where deleted_at is null`);
  const roleIds = await idsByName(tx, sql`select id, name from roles where deleted_at is null`);
  const languageIds = await idsByName(
    tx,
    sql`select id, two_letter_code as name from languages where deleted_at is null`,
  );

  const { clients, rows: clientRows } = generateClients({
    random,
    ids: await idsFor('clients', scale(12)),
    countries: countryIds,
    now,
  });
  // Drawn in other threads while the database is working.
  const logosPromise = Promise.all(clients.map((_, nth) => drawLogo(seed, nth)));
  logosPromise.catch(() => {});
  const { fleets, rows: fleetRows } = generateFleets(random, { ids: await idsFor('fleets', scale(40)), clients, now });
  const { locations, rows: locationRows } = generateLocations(random, {
    ids: await idsFor('locations', scale(120)),
    fleets,
    now,
  });
  const typeIds = await idsFor('types', machineTypes.length);
  const trackerIds = await idsFor('trackers', count + 20);
  const machineIds = await idsFor('machines', count);
  const {
    machines,
    rows: machineRows,
    trackers,
  } = generateMachines({ random, ids: machineIds, trackerIds, typeIds, fleets, locations, now });

  await insertRows(
    tx,
    'clients',
    seedColumns.clients,
    clientRows.map((row, nth) => ({ ...row, image: logoName(seed, nth) })),
  );
  await insertRows(tx, 'fleets', seedColumns.fleets, fleetRows);
  await insertRows(tx, 'locations', seedColumns.locations, locationRows);
  await insertRows(
    tx,
    'types',
    seedColumns.types,
    machineTypes.map(({ name, tracking, optimum, width }, index) => ({
      id: typeIds[index],
      name,
      tracking,
      working_width_m: width,
      optimal_cleaning_time: optimum && optimum * 3600,
      ...timestampsOf(new Date(now.getTime() - 7 * 365 * 86_400_000)),
    })),
  );
  await insertRows(tx, 'trackers', seedColumns.trackers, trackers);
  await insertRows(tx, 'machines', seedColumns.machines, machineRows);
  await seedStays(tx, { seed, now });

  const options = {
    random,
    ids: await idsFor('users', scale(200)),
    roleIds,
    languageIds,
    countryIds,
    clients,
    fleets,
    locations,
    machines,
    now,
  };
  const people = generatePeople(options);
  await insertRows(tx, 'users', seedColumns.users, people.users);
  await updateColumns(tx, 'users_state', { id: 'int', last_login: 'timestamptz' }, people.states);
  for (const [to, links] of Object.entries(people.links)) {
    const rows = links.map(([user, target]) => ({ users_id: user, [`${to}_id`]: target }));
    await insertRows(tx, `users_${to}`, { users_id: 'int', [`${to}_id`]: 'int' }, rows);
  }

  await storePasswords(tx, options.ids, await passwordHash);
  const invitations = generateInvitations({ random, ids: await idsFor('invitations', scale(30)), options });
  await insertRows(tx, 'invitations', seedColumns.invitations, invitations);
  await seedServicePlans(tx, {
    seed,
    types: machineTypes.map((type, nth) => ({ id: typeIds[nth], type })),
    machines,
    now,
  });
  await insertRows(tx, 'files', seedColumns.files, (await logosPromise).map(fileOf));
  await seedHistory(tx, { seed, now, days: Math.min(recentDays, historyDays(count)) });
  await seedAlerts(tx, now);
}

const fileOf = ({ name, bytes }: SeedLogo) => ({
  name,
  media_type: 'image/png',
  size: bytes.length,
  bytes: `\\x${bytes.toString('hex')}`,
});

async function idsByName(tx: Queries, query: ReturnType<typeof sql>): Promise<Map<string, number>> {
  const rows = await tx.select({ id: pg.integer, name: pg.text }, query);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Gives all demo users the same password and one verified address each. */
async function storePasswords(tx: Queries, users: readonly number[], passwordHash: string): Promise<void> {
  const ids = sql`${sql.param([...users])}::int[]`;
  await tx.rows(
    sql`insert into user_secrets (user_id, password_hash) select id, ${passwordHash}::text
      from unnest(${ids}) as input(id)`,
  );
  await tx.rows(
    sql`insert into user_emails (user_id, email, verified) select id, email, true from users where id = any(${ids})`,
  );
}
