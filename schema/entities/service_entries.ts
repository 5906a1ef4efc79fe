import { entity } from '../dsl/entity';
import { choice, date, integer, longtext, money, ref, text } from '../dsl/field';

export const serviceKinds = ['maintenance', 'inspection', 'repair', 'wear_part', 'other'] as const;
/** Kinds of work that reset a service plan. A repair does not postpone the next inspection. */
export const planResettingKinds: readonly (typeof serviceKinds)[number][] = ['maintenance', 'inspection'];

/** Work done on a machine. The machine's last service and maintenance cost are derived from these rows. */
export const serviceEntries = entity('service_entries', {
  title: 'summary',
  fields: {
    summary: text({ write: false, store: 'derived' }),
    machine_id: ref('machines', { required: true, onDelete: 'cascade' }),
    date: date({ required: true }),
    kind: choice(serviceKinds, { required: true, default: 'maintenance' }),
    cost: money({ read: 'machines.finance', min: 0, max: 9_999_999, unit: 'eur', additive: true }),
    note: longtext({ max: 4000 }),
    operating_time: integer({ min: 0, unit: 's', help: true }),
    file_name: text({ write: false, max: 200 }),
    file_type: text({ write: false, max: 120 }),
    file_size: integer({ write: false }),
  },
  list: {
    columns: ['summary', 'machine_id', 'cost', 'file_name'],
    sort: '-date',
    search: ['note', 'machine.serial_number'],
    filters: ['machine_id', 'kind', 'date', 'machine.fleet_id'],
    hidden: ['date', 'kind', 'note', 'operating_time', 'file_size', 'created_at', 'updated_at'],
  },
  form: { main: ['machine_id', 'date', 'kind', 'cost', 'note', 'operating_time'] },
  imports: { match: ['machine_id', 'date', 'kind'] },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: 'write',
    customer_admin: ['list', 'show', 'create', 'edit', 'export'],
    site_manager: ['list', 'show', 'create', 'edit'],
    operator: ['list', 'show', 'create'],
  },
  scope: {
    country: 'machine.fleet.client.country_id',
    client: 'machine.fleet.client_id',
    site: { fleet: 'machine.fleet_id', location: 'machine.location_id' },
    machine: { machine: 'machine_id', fleet: 'machine.fleet_id', location: 'machine.location_id' },
  },
});
