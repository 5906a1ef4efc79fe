import { entity } from '../dsl/entity';
import { boolean, choice, integer, ref, refs, text } from '../dsl/field';
import { stateNames } from './machines';

/**
 * Metrics that a rule can watch. `server/features/alerts/alertRuleHooks.ts` checks the fields that each metric needs.
 */
export const alertMetrics = [
  'offline',
  'state',
  'battery',
  'left_site',
  'cleaned_less',
  'service_due',
  'error',
  'run_incomplete',
  'run_interrupted',
  'zone_uncleaned',
] as const;
export type AlertMetric = (typeof alertMetrics)[number];
export const alertSeverities = ['info', 'warning', 'critical'] as const;

/** Metrics that must hold for a grace period before the rule fires. */
export const gracePeriodMetrics: readonly AlertMetric[] = ['offline', 'state', 'battery', 'left_site'];
/** Ranges of `threshold`; the metrics without one do not use it. */
export const thresholds: Partial<Record<AlertMetric, { min: number; max: number }>> = {
  /** Percent of the battery. */
  battery: { min: 1, max: 100 },
  /** Percent of the planned area, as for `run_incomplete`. */
  cleaned_less: { min: 1, max: 100 },
  /** Days before the due date. */
  service_due: { min: 0, max: 365 },
  run_incomplete: { min: 1, max: 100 },
  /** Minutes that an interruption lasts. */
  run_interrupted: { min: 1, max: 365 },
  /** Days since the zone was cleaned. */
  zone_uncleaned: { min: 1, max: 365 },
};

/** Alert rules of a client: condition, recipients and channels. Each metric uses only the fields that belong to it. */
export const alertRules = entity('alert_rules', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    client_id: ref('clients', { required: true, onDelete: 'cascade' }),
    fleet_id: ref('fleets', { onDelete: 'cascade', help: true }),
    location_id: ref('locations', { onDelete: 'cascade' }),
    view_id: ref('saved_views', { help: true }),
    metric: choice(alertMetrics, { required: true, default: 'offline' }),
    // A copy: pages show a field whose choices are `stateNames` itself as the state of the row.
    state: choice([...stateNames]),
    threshold: integer({ min: 0, max: 365, help: true }),
    error_code: text({ max: 120, help: true }),
    hold_time: integer({ required: true, default: 0, min: 0, max: 604_800, unit: 's' }),
    severity: choice(alertSeverities, { required: true, default: 'warning' }),
    is_active: boolean({ required: true, default: true }),
    user_ids: refs('users', { help: true }),
    by_email: boolean({ required: true, default: true }),
    by_sms: boolean({ required: true, default: false, help: true }),
    webhook_url: text({ max: 2000, read: 'alert_rules.edit', help: true }),
    repeat_time: integer({ min: 300, max: 604_800, unit: 's', help: true }),
    quiet_from: text({ max: 5, help: true }),
    quiet_to: text({ max: 5 }),
    tell_closed: boolean({ required: true, default: false }),
  },
  list: {
    columns: ['name', 'metric', 'fleet_id', 'location_id', 'severity', 'is_active'],
    sort: 'name',
    search: ['name'],
    filters: ['client_id', 'metric', 'severity', 'is_active'],
  },
  form: {
    main: ['name', 'client_id', 'fleet_id', 'location_id', 'view_id', 'severity', 'is_active'],
    condition: ['metric', 'state', 'threshold', 'error_code', 'hold_time'],
    message: ['user_ids', 'by_email', 'by_sms', 'webhook_url', 'repeat_time', 'quiet_from', 'quiet_to', 'tell_closed'],
  },
  grants: {
    admin: 'all',
    country_manager: 'all',
    partner: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    customer_admin: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    site_manager: 'none',
    operator: 'none',
  },
  scope: { country: 'client.country_id', client: 'client_id' },
});
