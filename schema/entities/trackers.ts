import { entity } from '../dsl/entity';
import { boolean, choice, color, instant, integer, longtext, many, number, ref, tags, text } from '../dsl/field';

const derivedField = { write: false, store: 'derived' } as const;

/**
 * The device that sends messages for a machine. `POST /trackers/{id}/secret` creates its secret, of which only a hash
 * is stored.
 */
export const trackers = entity('trackers', {
  title: 'refno',
  titles: ['refno', 'tracker_or_serial'],
  fields: {
    refno: text({ required: true, unique: true, min: 3, max: 60 }),
    tracker_or_serial: text({ required: true, max: 120, help: true }),
    mode: choice(['http', 'mqtt'], { required: true, default: 'http' }),
    status: choice(['active', 'inactive', 'in_repair'], { required: true, default: 'active' }),
    color: color({ required: true, default: '#0b7a75' }),
    is_dummy: boolean({ required: true, default: false, help: true }),
    gateway_id: ref('trackers', { help: true }),
    /** Key rules of the device; if empty, those of its machine's type apply. */
    key_rules: tags({ help: true, format: 'key_rule' }),
    assigned: boolean(derivedField),
    last_seen: instant({ write: false, store: 'state', volatile: true }),
    // Latest values that an unassigned tracker sent, which help people to recognise it.
    messages: integer(derivedField),
    last_payload: longtext(derivedField),
    latitude: number({ ...derivedField, unit: 'degree' }),
    longitude: number({ ...derivedField, unit: 'degree' }),
    // From the factsheet of a VDA 5050 vehicle.
    factsheet_version: text(derivedField),
    vehicle_type: text(derivedField),
    vehicle_length: number({ ...derivedField, unit: 'm' }),
    vehicle_width: number({ ...derivedField, unit: 'm' }),
    vehicle_height: number({ ...derivedField, unit: 'm' }),
    machines: many('machines', 'tracker_id'),
  },
  list: {
    columns: ['refno', 'tracker_or_serial', 'mode', 'status', 'color', 'assigned', 'last_seen'],
    sort: 'refno',
    search: ['refno', 'tracker_or_serial'],
    filters: ['assigned', 'mode', 'status', 'is_dummy'],
  },
  form: { main: ['refno', 'tracker_or_serial', 'mode', 'status', 'color', 'is_dummy', 'gateway_id', 'key_rules'] },
  grants: {
    admin: 'all',
    country_manager: 'read',
    partner: 'read',
    customer_admin: 'read',
    site_manager: 'read',
    operator: 'read',
  },
  scope: {
    country: 'machines.fleet.client.country_id',
    client: 'machines.fleet.client_id',
    site: { fleet: 'machines.fleet_id', location: 'machines.location_id' },
    machine: { machine: 'machines.id', fleet: 'machines.fleet_id', location: 'machines.location_id' },
  },
});
