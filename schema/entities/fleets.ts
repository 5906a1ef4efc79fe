import { entity } from '../dsl/entity';
import { color, integer, many, ref, text } from '../dsl/field';

export const fleets = entity('fleets', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    client_id: ref('clients', { required: true }),
    color: color({ required: true, default: '#0b7a75' }),
    working_radius: integer({ min: 0, max: 1_000_000, unit: 'm', help: true }),
    locations: many('locations', 'fleet_id'),
    machines: many('machines', 'fleet_id'),
  },
  list: {
    columns: ['name', 'client_id', 'color', 'working_radius', 'locations', 'machines'],
    sort: 'name',
    search: ['name', 'client.name'],
    filters: ['size', 'client_id', 'client.country_id'],
    facets: ['size', 'client_id'],
  },
  buckets: { size: { of: 'machines', from: [0, 6, 11, 31] } },
  imports: { match: ['client_id', 'name'] },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: 'write',
    customer_admin: 'write',
    site_manager: 'read',
    operator: 'read',
  },
  scope: {
    country: 'client.country_id',
    client: 'client_id',
    site: { fleet: 'id', location: 'locations.id' },
    machine: { machine: 'machines.id', fleet: 'id', location: 'locations.id' },
  },
});
