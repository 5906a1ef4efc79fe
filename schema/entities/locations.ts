import { entity } from '../dsl/entity';
import { choice, email, many, number, openingHours, phone, ref, text } from '../dsl/field';

/** Days on which a site is to be cleaned. */
export const cleaningPlans = ['none', 'daily', 'monday_to_saturday', 'monday_to_friday'] as const;

/** Sites where machines clean. All figures per day use local days of `time_zone`. */
export const locations = entity('locations', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    fleet_id: ref('fleets', { required: true }),
    address: text({ required: true, max: 200 }),
    postal_code: text({ required: true, format: 'digits', max: 12 }),
    city: text({ required: true, max: 120 }),
    latitude: number({ min: -90, max: 90, unit: 'degree' }),
    longitude: number({ min: -180, max: 180, unit: 'degree' }),
    time_zone: text({ required: true, default: 'Europe/Berlin', format: 'time_zone', max: 60 }),
    opening_hours: openingHours({ help: true }),
    holiday_country_id: ref('countries', { help: true }),
    holiday_region: text({ max: 20, help: true }),
    cleaning_plan: choice(cleaningPlans, { required: true, default: 'none', help: true }),
    planned_area_m2: number({ min: 0, max: 10_000_000, unit: 'm2', additive: true, help: true }),
    contact_name: text({ max: 120, edit: 'locations.contact' }),
    contact_email: email({ edit: 'locations.contact' }),
    contact_phone: phone({ edit: 'locations.contact' }),
    client_id: ref('clients', { through: 'fleet' }),
    machines: many('machines', 'location_id'),
  },
  list: {
    columns: ['name', 'fleet_id', 'client_id', 'address', 'postal_code', 'city'],
    sort: 'name',
    search: ['name', 'address', 'city', 'postal_code'],
    filters: ['fleet_id', 'client_id', 'cleaning_plan'],
  },
  form: {
    main: ['name', 'fleet_id'],
    hours: ['opening_hours', 'holiday_country_id', 'holiday_region'],
    plan: ['cleaning_plan', 'planned_area_m2'],
    address: ['address', 'postal_code', 'city', 'latitude', 'longitude', 'time_zone'],
    contact: ['contact_name', 'contact_email', 'contact_phone'],
  },
  special: ['contact'],
  imports: { match: ['fleet_id', 'name'] },
  grants: {
    admin: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export', 'contact'],
    country_manager: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export', 'contact'],
    partner: ['list', 'show', 'create', 'edit', 'import', 'export', 'contact'],
    customer_admin: ['list', 'show', 'create', 'edit', 'import', 'export', 'contact'],
    site_manager: ['list', 'show', 'contact'],
    operator: 'read',
  },
  scope: {
    country: 'fleet.client.country_id',
    client: 'fleet.client_id',
    site: { fleet: 'fleet_id', location: 'id' },
    machine: { machine: 'machines.id', fleet: 'fleet_id', location: 'id' },
  },
});
