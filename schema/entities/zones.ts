import { entity } from '../dsl/entity';
import { choice, integer, jsonField, number, ref, text } from '../dsl/field';

export const zoneKinds = ['clean', 'no_go', 'dock'] as const;

/** Zones of a floor. `area_m2` is computed from the polygon. */
export const zones = entity('zones', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    floor_id: ref('floors', { required: true, onDelete: 'cascade' }),
    kind: choice(zoneKinds, { required: true, default: 'clean' }),
    every_days: integer({ min: 1, max: 366, help: true }),
    polygon: jsonField('polygon', { required: true, help: true }),
    area_m2: number({ write: false, unit: 'm2' }),
  },
  list: {
    columns: ['name', 'floor_id', 'kind', 'area_m2', 'every_days'],
    sort: 'name',
    search: ['name', 'floor.name'],
    filters: ['floor_id', 'kind', 'area_m2', 'floor.location_id'],
  },
  imports: { match: ['floor_id', 'name'] },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: 'all',
    customer_admin: 'all',
    site_manager: ['list', 'show', 'create', 'edit', 'delete'],
    operator: 'read',
  },
  scope: {
    country: 'floor.location.fleet.client.country_id',
    client: 'floor.location.fleet.client_id',
    site: { fleet: 'floor.location.fleet_id', location: 'floor.location_id' },
    machine: {
      machine: 'floor.location.machines.id',
      fleet: 'floor.location.fleet_id',
      location: 'floor.location_id',
    },
  },
});
