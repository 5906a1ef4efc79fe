/** Inserts rows directly into the database, as the initial state of tests. */
import { sql } from 'drizzle-orm';
import type { Entity, Row } from '../../schema/dsl/entity';
import { type EntityName, type Registry, registry } from '../../schema/index';
import type { Queries } from '../../server/db/core/database';
import { linkOf, storedFields } from '../../server/db/core/names';
import { pg } from '../../server/db/core/rowShape';

export type Values<N extends EntityName> = Partial<Row<Registry[N]>>;

let count = 0;
/** Returns a number that is unique within the test file. */
export const nextNumber = () => ++count;
/** Skips the numbers up to `last`, which existing rows use. */
export const skipNumbersTo = (last: number) => {
  count = Math.max(count, last);
};

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];

/** Default values of required fields, by entity. */
const requiredValues: { [N in EntityName]: () => Values<N> } = {
  countries: () => ({ name: `Country ${nextNumber()}` }),
  languages: () => ({
    name: `Language ${nextNumber()}`,
    two_letter_code: `l${String.fromCharCode(97 + (nextNumber() % 26))}`,
  }),
  permissions: () => ({ name: `Permission ${nextNumber()}`, code_name: `extra${nextNumber()}.show` }),
  roles: () => ({ name: `Role ${nextNumber()}`, scope: 'client' }),
  types: () => ({ name: `Scrubber ${nextNumber()}`, tracking: true }),
  trackers: () => ({
    refno: `TR-${nextNumber()}`,
    tracker_or_serial: `device-${nextNumber()}`,
    mode: 'http',
    status: 'active',
    color: '#0b7a75',
    is_dummy: false,
  }),
  integrations: () => ({ name: `Cloud ${nextNumber()}`, preset: 'gausium' }),
  clients: () => ({
    name: `Client ${nextNumber()}`,
    building: '1',
    street: 'Harbour Street',
    city: 'Hamburg',
    postal_code: '01067',
    sms_activation: false,
    tags: [],
  }),
  fleets: () => ({ name: `Fleet ${nextNumber()}`, color: '#0b7a75' }),
  locations: () => ({
    name: `Site ${nextNumber()}`,
    address: 'Platz 1',
    city: 'Hamburg',
    postal_code: '20095',
    time_zone: 'Europe/Berlin',
  }),
  machines: () => ({
    serial_number: `SN-${nextNumber()}`,
    inventory_status: 'unchecked',
    stock_state: 'deployed',
    is_dummy: false,
    allow_sms: true,
    allow_email: true,
  }),
  documents: () => ({ name: `manual-${nextNumber()}.pdf`, media_type: 'application/pdf', size: 1 }),
  floors: () => ({ name: `Floor ${nextNumber()}`, level: 0 }),
  zones: () => ({ name: `Zone ${nextNumber()}`, kind: 'clean', polygon: square, area_m2: 100 }),
  runs: () => ({
    started_at: new Date(Date.UTC(2025, 5, 1, 8, nextNumber() % 1440)).toISOString(),
    ended_at: '2025-06-03T09:00:00.000Z',
    outcome: 'completed',
    task_name: `Lobby ${nextNumber()}`,
  }),
  service_entries: () => ({
    date: '2025-06-01',
    kind: 'maintenance',
    cost: '100.00',
    note: `Brushes changed ${nextNumber()}`,
  }),
  service_plans: () => ({ name: `Plan ${nextNumber()}`, every_months: 12, is_active: true }),
  alert_rules: () => ({ name: `Rule ${nextNumber()}`, metric: 'offline', is_active: false }),
  alerts: () => ({ metric: 'offline', severity: 'warning', state: 'closed', opened_at: '2025-06-01T08:00:00.000Z' }),
  users: () => ({
    first_name: 'Ada',
    last_name: `Example ${nextNumber()}`,
    email: `user${nextNumber()}@example.com`,
    is_staff: false,
    allow_sms: false,
    allow_email: true,
  }),
  audit: () => ({}),
  saved_views: () => ({
    name: `View ${nextNumber()}`,
    resource: 'machines',
    layout: 'table',
    is_default: false,
    columns: [],
  }),
  invitations: () => ({
    email: `guest${nextNumber()}@example.com`,
    accepted: false,
    expires_at: '2099-01-01T00:00:00.000Z',
  }),
  report_schedules: () => ({
    name: `Monthly ${nextNumber()}`,
    report: 'cleaning',
    is_active: false,
    emails: [`reader${nextNumber()}@example.com`],
  }),
  imports: () => ({ file_name: `machines-${nextNumber()}.csv`, resource: 'machines', state: 'done', mode: 'upsert' }),
};

/** Inserts a row with its links and returns its id. Omitted fields get default values. */
export async function add<N extends EntityName>(db: Queries, name: N, values: Values<N> = {}): Promise<number> {
  return addRow(db, registry[name], { ...requiredValues[name](), ...values });
}

/** As `add`, for an entity declared by a test. */
export async function addRow(db: Queries, entity: Entity, values: Record<string, unknown>): Promise<number> {
  const columns = storedFields(entity, 'row').filter((column) => values[column] !== undefined);
  const names = sql.join(columns.map(sql.identifier), sql`, `);
  const parameters = sql.join(
    columns.map((column) => sql`${sql.param(values[column])}`),
    sql`, `,
  );
  const row = await db.selectOne(
    { id: pg.integer },
    sql`insert into ${sql.identifier(entity.name)} (${names}) values (${parameters}) returning id`,
  );
  if (!row) throw new Error(`No row of ${entity.name} was added.`);
  for (const [field, { kind, to }] of Object.entries(entity.fields)) {
    const ids = values[field];
    if (kind !== 'refs' || !to || !Array.isArray(ids)) continue;
    const link = linkOf(entity.name, to);
    const [table, ownId, targetId] = [link.table, link.from, link.to].map(sql.identifier);
    for (const id of ids) await db.rows(sql`insert into ${table} (${ownId}, ${targetId}) values (${row.id}, ${id})`);
  }
  return row.id;
}
