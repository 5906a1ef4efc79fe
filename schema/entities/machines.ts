import { entity } from '../dsl/entity';
import { boolean, choice, date, instant, integer, longtext, many, money, number, ref, text } from '../dsl/field';
import { silenceLimit } from './types';

/** What a machine does, as the timeline derives it; if several hold, the first of this order wins. */
export const machineStates = ['offline', 'charging', 'cleaning', 'parked', 'online'] as const;
/** The states as JSON and the specification spell them. */
export const stateNames = ['Offline', 'Online', 'Parked', 'Charging', 'Cleaning'] as const;
export type StateName = (typeof stateNames)[number];
export const machineModes = ['robotic', 'manual', 'teaching'] as const;

const measured = { write: false, store: 'state', default: 0, unit: 's' } as const;
const finance = { read: 'machines.finance' } as const;

export const machines = entity('machines', {
  title: 'serial_number',
  fields: {
    serial_number: text({ required: true, unique: true, max: 60 }),
    reference_number: text({ max: 60 }),
    inventory_number: text({ max: 60 }),
    inventory_status: choice(['found', 'missing', 'unchecked'], { required: true, default: 'unchecked' }),
    type_id: ref('types', { requiredWithout: 'custom_type' }),
    custom_type: text({ requiredWithout: 'type_id', min: 3, max: 60, help: true }),
    fleet_id: ref('fleets', { required: true }),
    location_id: ref('locations'),
    tracker_id: ref('trackers', { unique: true }),
    client_id: ref('clients', { through: 'fleet' }),
    stock_state: choice(['in_stock', 'deployed', 'in_repair', 'retired'], { required: true, default: 'in_stock' }),
    is_dummy: boolean({ required: true, default: false, help: true }),
    note: longtext({ edit: 'machines.note' }),
    offline_after: integer(silenceLimit),
    working_radius_m2: number({ min: 0, max: 10_000_000, unit: 'm2', help: true }),
    allow_sms: boolean({ required: true, default: true }),
    allow_email: boolean({ required: true, default: true }),
    purchase_date: date(finance),
    price: money({ ...finance, min: 0, unit: 'eur' }),
    depreciation_rate: number({ ...finance, min: 0, max: 100, unit: 'percent_per_year', help: true }),
    last_service: date(),
    next_service_due: date(),
    total_maintenance_cost: money({ ...finance, min: 0, unit: 'eur' }),
    previous_cleaning_time: integer({ min: 0, max: 2_000_000_000, default: 0, unit: 's', help: true }),
    previous_charging_time: integer({ min: 0, max: 2_000_000_000, default: 0, unit: 's' }),
    previous_operating_time: integer({ min: 0, max: 2_000_000_000, default: 0, unit: 's' }),
    status: choice(stateNames, { write: false, store: 'state', default: 'Offline' }),
    status_since: instant({ write: false, store: 'state' }),
    status_reason: text({ write: false, store: 'derived' }),
    mode: choice(machineModes, { write: false, store: 'state' }),
    battery: integer({ write: false, store: 'state', unit: 'percent' }),
    latitude: number({ write: false, store: 'state', unit: 'degree' }),
    longitude: number({ write: false, store: 'state', unit: 'degree' }),
    last_seen: instant({ write: false, store: 'state' }),
    operating_time: integer(measured),
    cleaning_time: integer(measured),
    charging_time: integer(measured),
    teaching_time: integer(measured),
    robotic_time: integer(measured),
    overall_cleaning_time: integer({ write: false, store: 'derived', unit: 's' }),
    overall_charging_time: integer({ write: false, store: 'derived', unit: 's' }),
    book_value: money({ ...finance, write: false, store: 'derived', unit: 'eur' }),
    documents: many('documents', 'machine_id'),
    service_entries: many('service_entries', 'machine_id'),
    service_plans: many('service_plans', 'machine_id'),
  },
  list: {
    columns: ['serial_number', 'status', 'type_id', 'location_id', 'fleet_id', 'tracker_id', 'last_seen'],
    sort: 'serial_number',
    search: [
      'serial_number',
      'reference_number',
      'inventory_number',
      'type.name',
      'custom_type',
      'location.name',
      'location.address',
      'location.city',
    ],
    filters: [
      'status',
      'fleet_id',
      'location_id',
      'client_id',
      'type_id',
      'stock_state',
      'inventory_status',
      'next_service_due',
      'location.address',
      'is_dummy',
    ],
    facets: ['status', 'fleet_id', 'type_id', 'stock_state'],
  },
  form: {
    main: [
      'serial_number',
      'reference_number',
      'inventory_number',
      'inventory_status',
      'type_id',
      'custom_type',
      'stock_state',
      'is_dummy',
      'note',
    ],
    place: ['fleet_id', 'location_id', 'tracker_id', 'offline_after', 'working_radius_m2'],
    finance: ['purchase_date', 'price', 'depreciation_rate'],
    service: ['last_service', 'next_service_due', 'total_maintenance_cost'],
    times: ['previous_operating_time', 'previous_cleaning_time', 'previous_charging_time'],
    notifications: ['allow_sms', 'allow_email'],
  },
  special: ['note', 'finance', 'command', 'report'],
  grants: {
    admin: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export', 'note', 'finance', 'command', 'report'],
    country_manager: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export', 'note', 'finance', 'report'],
    partner: ['list', 'show', 'create', 'edit', 'import', 'export', 'note', 'finance', 'report'],
    customer_admin: ['list', 'show', 'edit', 'export', 'note', 'report'],
    site_manager: ['list', 'show', 'note', 'report'],
    operator: ['list', 'show', 'note', 'report'],
  },
  scope: {
    country: 'fleet.client.country_id',
    client: 'fleet.client_id',
    site: { fleet: 'fleet_id', location: 'location_id' },
    machine: { machine: 'id', fleet: 'fleet_id', location: 'location_id' },
  },
});
