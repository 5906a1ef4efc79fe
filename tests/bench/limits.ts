/**
 * Answers of the limit: SQL written by hand, the same rows with the same fields as the product's, for callers with the
 * scope of everything or of one country.
 */

interface Statement {
  text: string;
  params(path: string[]): (string | number)[];
}

interface Limited {
  table: string;
  /** Fields of the row `m` and what is joined to read them. */
  fields: string;
  joins: string;
  /** What the page of the list shows beside them. */
  includes: string;
  order: string;
  /** What most rows have in common: a filter that PostgreSQL has to count. */
  common: string;
  /** Where contains-search looks. */
  searched: string;
  /** The rows of a country, given as `$1`. */
  ofCountry: string;
}

const machine: Limited = {
  table: 'machines',
  fields: `m.serial_number, m.reference_number, m.inventory_number, m.inventory_status, m.type_id, m.custom_type, m.fleet_id, m.location_id, m.tracker_id, f.client_id,
  m.stock_state, m.is_dummy, m.note, m.offline_after, m.working_radius_m2, m.allow_sms, m.allow_email, m.purchase_date, m.price::text, m.depreciation_rate, m.last_service, m.next_service_due,
  m.total_maintenance_cost::text, m.previous_cleaning_time, m.previous_charging_time, m.previous_operating_time, s.status, s.status_since, (select g.reason from segments g where g.machine_id = m.id and g.to_at is null) as status_reason, s.mode, s.battery,
  s.latitude, s.longitude, s.last_seen, s.operating_time, s.cleaning_time, s.charging_time, s.teaching_time, s.robotic_time,
  m.previous_cleaning_time + s.cleaning_time as overall_cleaning_time, m.previous_charging_time + s.charging_time as overall_charging_time,
  (case when m.price is null then null when m.depreciation_rate is null or m.purchase_date is null or current_date <= m.purchase_date then m.price
    else round(greatest(0, m.price - m.price * m.depreciation_rate::numeric / 100 * (dep.y + (current_date - (m.purchase_date + dep.y * interval '1 year')::date)::numeric
      / ((m.purchase_date + (dep.y + 1) * interval '1 year')::date - (m.purchase_date + dep.y * interval '1 year')::date))), 2) end)::text as book_value,
  m.id, m.created_at, m.updated_at, m.version`,
  joins:
    'join machines_state s on s.id = m.id join fleets f on f.id = m.fleet_id left join locations l on l.id = m.location_id cross join lateral (select extract(year from age(current_date, m.purchase_date))::int as y) dep',
  includes: `json_build_object('name', f.name, 'client_id', f.client_id, 'color', f.color, 'working_radius', f.working_radius, 'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'version', f.version) as fleet,
  case when l.id is null then null else json_build_object('name', l.name, 'fleet_id', l.fleet_id, 'address', l.address, 'postal_code', l.postal_code, 'city', l.city, 'latitude', l.latitude,
  'longitude', l.longitude, 'time_zone', l.time_zone, 'opening_hours', l.opening_hours, 'contact_name', l.contact_name, 'contact_email', l.contact_email, 'contact_phone', l.contact_phone,
  'client_id', f.client_id, 'id', l.id, 'created_at', l.created_at, 'updated_at', l.updated_at, 'version', l.version) end as location`,
  order: 'm.serial_number collate "und-x-icu", m.id',
  common: "m.stock_state = 'deployed'",
  searched: 'm.serial_number',
  ofCountry: 'm.fleet_id in (select f.id from fleets f join clients c on c.id = f.client_id where c.country_id = $1)',
};

const links = (to: string, name: string) =>
  `(select coalesce(json_agg(k.${to}_id order by k.${to}_id), '[]') from users_${to} k join ${to} t on t.id = k.${to}_id where k.users_id = m.id and t.deleted_at is null) as ${name}_ids`;

const user: Limited = {
  table: 'users',
  fields: `m.id, m.first_name, m.last_name, m.email,
  (select json_agg(json_build_object('email', e.email, 'verified', e.verified, 'primary', e.email = m.email) order by e.position, e.email) from user_emails e where e.user_id = m.id) as emails, m.phone, m.image,
  m.language_id, ${links('roles', 'role')}, m.client_id, ${links('clients', 'client')}, ${links('countries', 'country')}, ${links('fleets', 'fleet')}, ${links('locations', 'location')}, ${links('machines', 'machine')},
  m.is_staff, m.allow_sms, m.allow_email, s.last_login, m.created_at as date_joined, m.created_at, m.updated_at, m.version`,
  joins: 'join users_state s on s.id = m.id',
  includes: `(select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) order by r.id), '[]') from users_roles k join roles r on r.id = k.roles_id where k.users_id = m.id and r.deleted_at is null) as roles,
  (select json_build_object('id', c.id, 'name', c.name) from clients c where c.id = m.client_id) as client`,
  order: 'm.last_name collate "und-x-icu", m.id',
  common: 'not m.is_staff',
  searched: 'm.email',
  ofCountry: 'm.client_id in (select c.id from clients c where c.deleted_at is null and c.country_id = $1)',
};

const client: Limited = {
  table: 'clients',
  fields: `m.id, m.name, m.building, m.street, m.city, m.postal_code, m.country_id, m.image, m.contact_name, m.contact_email, m.contact_phone, m.sms_activation, m.tags, m.created_at, m.updated_at, m.version`,
  joins: '',
  includes: `(select json_build_object('id', c.id, 'name', c.name) from countries c where c.id = m.country_id) as country,
  (select count(*) from fleets f where f.client_id = m.id and f.deleted_at is null) as fleets_count, (select count(*) from users u where u.client_id = m.id and u.deleted_at is null) as users_count,
  (select count(*) from fleets f join machines x on x.fleet_id = f.id where f.client_id = m.id and f.deleted_at is null and x.deleted_at is null) as machines_count`,
  order: 'm.name collate "und-x-icu", m.id',
  common: 'not m.sms_activation',
  searched: 'm.name',
  ofCountry: 'm.country_id = $1',
};

function statementsOf({
  table,
  fields,
  joins,
  includes,
  order,
  common,
  searched,
  ofCountry,
}: Limited): Record<string, Statement> {
  const living = 'm.deleted_at is null';
  /** A page: its rows found first, then read; the count beside it. */
  const page = (where: string, offset = 0) => `
  select (select coalesce(json_agg(r), '[]') from (
    select ${fields}, ${includes} from (select m.id from ${table} m where ${living} and ${where} order by ${order} limit 25 offset ${offset}) p
    join ${table} m on m.id = p.id ${joins} order by ${order}) r)::text as data,
  (select count(*) from ${table} m where ${living} and ${where})::int as total`;
  return {
    list: { text: page(common), params: () => [] },
    anew: { text: page(`${common} and m.id > $1::int`), params: ([after]) => [Number(after)] },
    country: {
      text: page(`${common} and ${ofCountry} and m.id > $2::int`),
      params: ([id, after]) => [Number(id), Number(after)],
    },
    deep: { text: page('true', 49_975), params: () => [] },
    // By the same trigram index as the product.
    search: {
      text: page(`${searched} ilike $1`),
      params: ([word = '']) => [`%${decodeURIComponent(word)}%`],
    },
  };
}

const one: Statement = {
  text: `select row_to_json(r)::text as data, 1 as total from (select ${machine.fields}, ${machine.includes}, row_to_json(t) as type, row_to_json(k) as tracker, row_to_json(c) as client
      from machines m ${machine.joins} left join types t on t.id = m.type_id left join trackers k on k.id = m.tracker_id join clients c on c.id = f.client_id where m.deleted_at is null and m.id = $1) r`,
  params: ([id = '1']) => [Number(id)],
};

export const limits: Record<string, Record<string, Statement>> = {
  machines: { ...statementsOf(machine), one },
  users: statementsOf(user),
  clients: statementsOf(client),
};
