import { entity } from '../dsl/entity';
import { integer, jsonField, many, number, ref, text } from '../dsl/field';

/**
 * Floors of a location. `maps`: maps of robots, each with its transformation to metres on the floor. `plan`: size of
 * the image that covers the whole floor; null without an image.
 */
export const floors = entity('floors', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    location_id: ref('locations', { required: true }),
    level: integer({ required: true, default: 0, min: -100, max: 300, help: true }),
    width_m: number({ min: 0.1, max: 10_000, unit: 'm' }),
    height_m: number({ min: 0.1, max: 10_000, unit: 'm' }),
    rotation: number({ min: -360, max: 360, unit: 'degree', help: true }),
    plan: text({ write: false, max: 60 }),
    maps: jsonField('floor_maps', { help: true }),
    zones: many('zones', 'floor_id'),
    runs: many('runs', 'floor_id'),
  },
  list: {
    columns: ['name', 'location_id', 'level', 'width_m', 'height_m'],
    sort: 'level',
    search: ['name', 'location.name'],
    filters: ['location_id', 'level', 'location.fleet_id'],
  },
  form: { main: ['name', 'location_id', 'level'], plan: ['width_m', 'height_m', 'rotation', 'maps'] },
  imports: { match: ['location_id', 'name'] },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: 'all',
    customer_admin: 'all',
    site_manager: ['list', 'show', 'create', 'edit', 'delete'],
    operator: 'read',
  },
  scope: {
    country: 'location.fleet.client.country_id',
    client: 'location.fleet.client_id',
    site: { fleet: 'location.fleet_id', location: 'location_id' },
    machine: { machine: 'location.machines.id', fleet: 'location.fleet_id', location: 'location_id' },
  },
});
