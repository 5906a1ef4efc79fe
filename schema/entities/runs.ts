import { entity } from '../dsl/entity';
import { choice, instant, integer, jsonField, number, ref, text } from '../dsl/field';
import { cleaningModes, normalizeCleaningMode } from '../shared/cleaningModes';

/** A run is reported by the machine's maker, derived from the timeline, or entered by a person. */
export const runSources = ['entered', 'derived', 'reported'] as const;
export type RunSource = (typeof runSources)[number];
export const runOutcomes = ['completed', 'partial', 'aborted', 'failed'] as const;

const maxValue = 10_000_000;

/**
 * Cleaning runs. `location_id`: where the machine was at the start. `fleet_id`: fleet of that location, to which the
 * run belongs wherever the machine is now. `own_machine_id`: the machine, as long as it is with the client of the run.
 * `reported_at`: sender's time of the stored version of a report, else its time of receipt. `superseded_by`: the
 * reported or entered run of the same cleaning that counts instead of this one. `original`: reported values of fields
 * that a person corrected.
 */
export const runs = entity('runs', {
  title: 'summary',
  fields: {
    summary: text({ write: false, store: 'derived' }),
    machine_id: ref('machines', { required: true, onDelete: 'cascade' }),
    location_id: ref('locations', { write: false, onDelete: 'cascade' }),
    fleet_id: ref('fleets', { write: false, onDelete: 'cascade' }),
    own_machine_id: integer({ write: false }),
    floor_id: ref('floors'),
    external_id: text({ max: 120, help: true }),
    task_name: text({ max: 200 }),
    task_id: text({ max: 120 }),
    mode: choice(cleaningModes, { normalize: { raw: 'mode_raw', choose: normalizeCleaningMode } }),
    mode_raw: text({ max: 120 }),
    source: choice(runSources, { write: false, default: 'entered' }),
    started_at: instant({ required: true }),
    ended_at: instant({ required: true }),
    outcome: choice(runOutcomes),
    outcome_raw: text({ max: 120 }),
    planned_area_m2: number({ min: 0, max: maxValue, unit: 'm2', additive: true }),
    cleaned_area_m2: number({ min: 0, max: maxValue, unit: 'm2', additive: true }),
    coverage: number({ write: false, store: 'derived' }),
    duration_s: integer({ min: 0, max: 31 * 86_400, unit: 's', additive: true, help: true }),
    efficiency_m2_h: number({ write: false, store: 'derived', unit: 'm2_per_h' }),
    distance_m: number({ min: 0, max: maxValue, unit: 'm', additive: true }),
    water_l: number({ min: 0, max: 100_000, unit: 'l', additive: true }),
    energy_wh: number({ min: 0, max: maxValue, unit: 'wh', additive: true }),
    battery_start: number({ min: 0, max: 100, unit: 'percent' }),
    battery_end: number({ min: 0, max: 100, unit: 'percent' }),
    interruptions: jsonField('interruptions'),
    interruptions_count: integer({ write: false, store: 'derived', additive: true }),
    operator: text({ max: 120 }),
    consumables: jsonField('consumables', { help: true }),
    superseded_by: integer({ write: false }),
    original: jsonField('any', { write: false }),
    reported_at: instant({ write: false }),
  },
  list: {
    columns: ['summary', 'machine_id', 'location_id', 'outcome', 'cleaned_area_m2', 'coverage', 'duration_s', 'source'],
    sort: '-started_at',
    search: ['task_name', 'external_id', 'machine.serial_number', 'location.name'],
    filters: ['machine_id', 'location_id', 'floor_id', 'started_at', 'outcome', 'mode', 'source', 'fleet_id'],
    facets: ['outcome', 'source'],
    hidden: [
      'fleet_id',
      'floor_id',
      'task_name',
      'mode',
      'started_at',
      'ended_at',
      'outcome_raw',
      'planned_area_m2',
      'efficiency_m2_h',
      'distance_m',
      'water_l',
      'energy_wh',
      'battery_start',
      'battery_end',
      'interruptions_count',
      'operator',
      'task_id',
      'external_id',
      'mode_raw',
      'created_at',
      'updated_at',
    ],
  },
  form: {
    main: ['machine_id', 'floor_id', 'task_name', 'task_id', 'external_id', 'mode', 'mode_raw'],
    result: [
      'started_at',
      'ended_at',
      'duration_s',
      'outcome',
      'outcome_raw',
      'planned_area_m2',
      'cleaned_area_m2',
      'operator',
    ],
    use: ['distance_m', 'water_l', 'energy_wh', 'battery_start', 'battery_end', 'consumables', 'interruptions'],
  },
  imports: { match: ['machine_id', 'started_at'] },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: 'write',
    customer_admin: ['list', 'show', 'create', 'edit', 'export'],
    site_manager: ['list', 'show', 'create', 'edit'],
    operator: 'read',
  },
  scope: {
    country: 'fleet.client.country_id',
    client: 'fleet.client_id',
    site: { fleet: 'fleet_id', location: 'location_id' },
    machine: { machine: 'own_machine_id', fleet: 'fleet_id', location: 'location_id' },
  },
});
