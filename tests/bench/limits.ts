/**
 * Hand-written SQL of the limit, which returns the same rows with the same fields as the product. The caller's scope is
 * part of the statement (`linksSql`, `scopeSql`), since the limit looks up no permissions.
 */
import type { BenchRole, LimitEntityName } from './scenario';

interface LimitEntity {
  table: string;
  /** Fields of the row `m`, and the joins that they need. */
  fields: string;
  joins: string;
  /** Fields that only some roles may read, and the joins that they need. */
  finance?: { fields: string; joins: string; roles: readonly BenchRole[] };
  /** Additional columns of the list page. */
  includes: string;
  order: string;
  /** A filter that most rows match, so that PostgreSQL must count them. */
  commonWhere: string;
  /** Columns that the contains-search searches. */
  searchedColumn: string;
  /** SQL conditions: `m` is within the links of a user, by role. */
  scope: Partial<Record<BenchRole, (links: Links) => string>>;
}

/** The links that define a user's scope. */
export interface Links {
  countries: number[];
  clients: number[];
  client: number | null;
  fleets: number[];
  locations: number[];
  machines: number[];
}

const userLinkIdsSql = (to: string) =>
  `(select coalesce(json_agg(k.${to}_id order by k.${to}_id), '[]') from users_${to} k where k.users_id = u.id)`;

/** The links of the user with the e-mail address `$1`. */
export const linksSql = `select json_build_array(json_build_object('id', u.id, 'client', u.client_id, ${[
  'countries',
  'clients',
  'fleets',
  'locations',
  'machines',
]
  .map((to) => `'${to}', ${userLinkIdsSql(to)}`)
  .join(', ')}))::text as data, 1 as total from users u where u.email = $1`;

const inSql = (column: string, ids: readonly (number | null)[]) =>
  ids.length === 1 ? `${column} = ${ids[0]}` : `${column} in (${ids.join(', ') || 'null'})`;

export function scopeWhere(entity: LimitEntityName, role: BenchRole, links: Links): string {
  const scope = limitEntities[entity].scope[role];
  if (role !== 'Admin' && !scope) throw new Error(`The limit of ${entity} does not know the scope of ${role}.`);
  return scope?.(links) ?? 'true';
}

/** Book value of `m`, exact to the cent, with the whole years of use from `yearsOfUse`. */
export const bookValueSql = `(case when m.price is null then null when m.depreciation_rate is null or m.purchase_date is null or current_date <= m.purchase_date then m.price
    else round(greatest(0, m.price - m.price * m.depreciation_rate::numeric / 100 * (dep.y + (current_date - (m.purchase_date + dep.y * interval '1 year')::date)::numeric
      / ((m.purchase_date + (dep.y + 1) * interval '1 year')::date - (m.purchase_date + dep.y * interval '1 year')::date))), 2) end)`;
export const yearsOfUseJoin =
  'cross join lateral (select extract(year from age(current_date, m.purchase_date))::int as y) dep';

const machine: LimitEntity = {
  table: 'machines',
  fields: `m.serial_number, m.reference_number, m.inventory_number, m.inventory_status, m.type_id, m.custom_type, m.fleet_id, m.location_id, m.tracker_id, f.client_id,
  m.stock_state, m.is_dummy, m.note, m.offline_after, m.working_radius_m2, m.allow_sms, m.allow_email, m.last_service, m.next_service_due, m.previous_cleaning_time, m.previous_charging_time, m.previous_operating_time, s.status, s.status_since, (select g.reason from segments g where g.machine_id = m.id and g.to_at is null) as status_reason, s.mode, s.battery,
  s.latitude, s.longitude, s.last_seen, s.operating_time, s.cleaning_time, s.charging_time, s.teaching_time, s.robotic_time,
  m.previous_cleaning_time + s.cleaning_time as overall_cleaning_time, m.previous_charging_time + s.charging_time as overall_charging_time,
  m.id, m.created_at, m.updated_at, m.version`,
  joins:
    'join machines_state s on s.id = m.id join fleets f on f.id = m.fleet_id left join locations l on l.id = m.location_id',
  includes: `json_build_object('name', f.name, 'client_id', f.client_id, 'color', f.color, 'working_radius', f.working_radius, 'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'version', f.version) as fleet,
  case when l.id is null then null else json_build_object('name', l.name, 'fleet_id', l.fleet_id, 'address', l.address, 'postal_code', l.postal_code, 'city', l.city, 'latitude', l.latitude,
  'longitude', l.longitude, 'time_zone', l.time_zone, 'opening_hours', l.opening_hours, 'holiday_country_id', l.holiday_country_id, 'holiday_region', l.holiday_region, 'cleaning_plan', l.cleaning_plan, 'planned_area_m2', l.planned_area_m2, 'contact_name', l.contact_name, 'contact_email', l.contact_email, 'contact_phone', l.contact_phone,
  'client_id', f.client_id, 'id', l.id, 'created_at', l.created_at, 'updated_at', l.updated_at, 'version', l.version) end as location`,
  finance: {
    fields: `m.purchase_date, m.price::text, m.depreciation_rate, m.total_maintenance_cost::text, ${bookValueSql}::text as book_value`,
    joins: yearsOfUseJoin,
    roles: ['Admin', 'Country Manager', 'Partner'],
  },
  order: 'm.serial_number collate "und-x-icu", m.id',
  commonWhere: "m.stock_state = 'deployed'",
  searchedColumn: 'm.serial_number',
  scope: {
    'Country Manager': ({ countries }) =>
      `m.fleet_id in (select f.id from fleets f join clients c on c.id = f.client_id where ${inSql('c.country_id', countries)})`,
    Partner: ({ clients }) => `m.fleet_id in (select f.id from fleets f where ${inSql('f.client_id', clients)})`,
    'Customer Admin': ({ client }) => `m.fleet_id in (select f.id from fleets f where f.client_id = ${client})`,
    'Site Manager': ({ fleets, locations }) =>
      `(${inSql('m.fleet_id', fleets)} or ${inSql('m.location_id', locations)})`,
    Operator: ({ machines, fleets, locations }) =>
      `(${inSql('m.id', machines)} or ${inSql('m.fleet_id', fleets)} or ${inSql('m.location_id', locations)})`,
  },
};

const linkIdsSql = (to: string, name: string) =>
  `(select coalesce(json_agg(k.${to}_id order by k.${to}_id), '[]') from users_${to} k join ${to} t on t.id = k.${to}_id where k.users_id = m.id and t.deleted_at is null) as ${name}_ids`;

const user: LimitEntity = {
  table: 'users',
  fields: `m.id, m.first_name, m.last_name, m.email,
  (select json_agg(json_build_object('email', e.email, 'verified', e.verified, 'primary', e.email = m.email) order by e.position, e.email) from user_emails e where e.user_id = m.id) as emails, m.phone, m.image,
  m.language_id, ${linkIdsSql('roles', 'role')}, m.client_id, ${linkIdsSql('clients', 'client')}, ${linkIdsSql('countries', 'country')}, ${linkIdsSql('fleets', 'fleet')}, ${linkIdsSql('locations', 'location')}, ${linkIdsSql('machines', 'machine')},
  m.is_staff, m.allow_sms, m.allow_email, s.last_login, m.created_at as date_joined, m.created_at, m.updated_at, m.version`,
  joins: 'join users_state s on s.id = m.id',
  includes: `(select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) order by r.id), '[]') from users_roles k join roles r on r.id = k.roles_id where k.users_id = m.id and r.deleted_at is null) as roles,
  (select json_build_object('id', c.id, 'name', c.name) from clients c where c.id = m.client_id) as client`,
  order: 'm.last_name collate "und-x-icu", m.id',
  commonWhere: 'not m.is_staff',
  searchedColumn: 'm.email',
  scope: {
    'Country Manager': ({ countries }) =>
      `m.client_id in (select c.id from clients c where c.deleted_at is null and ${inSql('c.country_id', countries)})`,
  },
};

const client: LimitEntity = {
  table: 'clients',
  fields: `m.id, m.name, m.building, m.street, m.city, m.postal_code, m.country_id, m.image, m.contact_name, m.contact_email, m.contact_phone, m.sms_activation, m.public_reports, m.tags, m.created_at, m.updated_at, m.version`,
  joins: '',
  includes: `(select json_build_object('id', c.id, 'name', c.name) from countries c where c.id = m.country_id) as country,
  (select count(*) from fleets f where f.client_id = m.id and f.deleted_at is null) as fleets_count, (select count(*) from users u where u.client_id = m.id and u.deleted_at is null) as users_count,
  (select count(*) from fleets f join machines x on x.fleet_id = f.id where f.client_id = m.id and f.deleted_at is null and x.deleted_at is null) as machines_count`,
  order: 'm.name collate "und-x-icu", m.id',
  commonWhere: 'not m.sms_activation',
  searchedColumn: 'm.name',
  scope: { 'Country Manager': ({ countries }) => inSql('m.country_id', countries) },
};

export const limitEntities: Record<LimitEntityName, LimitEntity> = { machines: machine, users: user, clients: client };

/** Fields that a role may read, and the joins that they need. */
function fieldsFor(role: BenchRole, { fields, joins, finance }: LimitEntity): { fields: string; joins: string } {
  return finance?.roles.includes(role)
    ? { fields: `${fields}, ${finance.fields}`, joins: `${joins} ${finance.joins}` }
    : { fields, joins };
}

interface PageOptions {
  role: BenchRole;
  /** Additional condition; soft-deleted rows are always excluded. */
  where: string;
  offset?: number;
  /** Includes the additional columns of the list page. */
  hasIncludes?: boolean;
}

/** A page of rows, whose ids are selected before the fields are read, and the total count. */
export function pageSql(
  entity: LimitEntityName,
  { role, where, offset = 0, hasIncludes = false }: PageOptions,
): string {
  const { table, includes, order } = limitEntities[entity];
  const { fields, joins } = fieldsFor(role, limitEntities[entity]);
  const condition = `m.deleted_at is null and ${where}`;
  return `
  select (select coalesce(json_agg(r), '[]') from (
    select ${fields}${hasIncludes ? `, ${includes}` : ''}
    from (select m.id from ${table} m where ${condition} order by ${order} limit 25 offset ${offset}) p
    join ${table} m on m.id = p.id ${joins} order by ${order}) r)::text as data,
  (select count(*) from ${table} m where ${condition})::int as total`;
}

const columnsSql = (row: string, ...names: string[]) => names.map((name) => `'${name}', ${row}.${name}`).join(', ');

const typeSql = `case when t.id is not null then json_build_object(${columnsSql('t', 'id', 'name', 'tracking', 'offline_after', 'cleaning_actions', 'key_rules', 'optimal_cleaning_time', 'run_pause', 'working_width_m', 'created_at', 'updated_at', 'version')}) end`;

const trackerSql = `case when k.id is not null then json_build_object(
    ${columnsSql('k', 'id', 'refno', 'tracker_or_serial', 'mode', 'status', 'color', 'is_dummy', 'gateway_id', 'key_rules', 'created_at', 'updated_at', 'version')},
    'assigned', exists (select from machines a where a.tracker_id = k.id and a.deleted_at is null), 'last_seen', ks.last_seen,
    ${columnsSql('kd', 'messages', 'last_payload', 'latitude', 'longitude')},
    ${columnsSql('kf', 'factsheet_version', 'vehicle_type', 'vehicle_length', 'vehicle_width', 'vehicle_height')}) end`;

/** One machine with its five relations. */
export function machineSql(role: BenchRole, scope: string): string {
  const { fields, joins } = fieldsFor(role, machine);
  return `
  select row_to_json(r)::text as data, 1 as total from (
    select ${fields}, ${machine.includes}, ${typeSql} as type, ${trackerSql} as tracker,
      (select row_to_json(v) from (select ${client.fields.replaceAll('m.', 'c.')}) v) as client
    from machines m ${joins} join clients c on c.id = f.client_id left join types t on t.id = m.type_id
    left join trackers k on k.id = m.tracker_id left join trackers_state ks on ks.id = k.id
    left join discovered_trackers kd on kd.tracker_id = k.id left join tracker_factsheets kf on kf.tracker_id = k.id
    where m.deleted_at is null and ${scope} and m.id = $1) r`;
}
