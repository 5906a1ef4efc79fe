import { entity } from '../dsl/entity';
import { boolean, integer, ref, text } from '../dsl/field';

/**
 * Service plans: every n months or operating hours, whichever comes first. The plan of a type applies to all its
 * machines that have no active plan of their own. Because such a plan affects several clients, only callers with global
 * scope can see and create one.
 */
export const servicePlans = entity('service_plans', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    machine_id: ref('machines', { requiredWithout: 'type_id', onDelete: 'cascade' }),
    type_id: ref('types', { requiredWithout: 'machine_id', onDelete: 'cascade', help: true }),
    every_months: integer({ requiredWithout: 'every_hours', min: 1, max: 240 }),
    every_hours: integer({ requiredWithout: 'every_months', min: 1, max: 100_000, help: true }),
    is_active: boolean({ required: true, default: true }),
  },
  list: {
    columns: ['name', 'machine_id', 'type_id', 'every_months', 'every_hours', 'is_active'],
    sort: 'name',
    search: ['name', 'machine.serial_number', 'type.name'],
    filters: ['machine_id', 'type_id', 'is_active'],
  },
  form: { main: ['name', 'machine_id', 'type_id'], interval: ['every_months', 'every_hours', 'is_active'] },
  imports: { match: ['machine_id', 'type_id', 'name'] },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: 'write',
    customer_admin: ['list', 'show', 'create', 'edit', 'export'],
    site_manager: 'read',
    operator: 'read',
  },
  scope: {
    country: 'machine.fleet.client.country_id',
    client: 'machine.fleet.client_id',
    site: { fleet: 'machine.fleet_id', location: 'machine.location_id' },
    machine: { machine: 'machine_id', fleet: 'machine.fleet_id', location: 'machine.location_id' },
  },
});
