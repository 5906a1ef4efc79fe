import { entity } from '../dsl/entity';
import { choice, instant, longtext, number, ref, refs, text } from '../dsl/field';
import { alertMetrics, alertSeverities } from './alert_rules';

export const alertStates = ['open', 'acknowledged', 'closed'] as const;
/** Kinds of alerts: the metrics of rules, and problems that people report. */
export const alertKinds = [...alertMetrics, 'reported'] as const;
export type AlertKind = (typeof alertKinds)[number];
/** Kinds of problems that people report about a machine. */
export const problemKinds = ['not_running', 'damage', 'leak', 'noise', 'poor_cleaning', 'other'] as const;

const readOnlyField = { write: false } as const;

/**
 * Alerts, which the server creates for a firing rule or a reported problem, and which people acknowledge. Machines of
 * one location that fell silent together share an alert, as do zones of one floor. An alert about zones has no
 * machines. `value` and `code` contain the finding: a percentage, a state, a date, a code, a kind of problem. A
 * reported problem has no rule, and only people close it.
 */
export const alerts = entity('alerts', {
  title: 'summary',
  fields: {
    summary: text({ ...readOnlyField, store: 'derived' }),
    rule_id: ref('alert_rules', { ...readOnlyField, onDelete: 'cascade' }),
    client_id: ref('clients', { required: true, write: false, onDelete: 'cascade' }),
    location_id: ref('locations', { ...readOnlyField, onDelete: 'cascade' }),
    floor_id: ref('floors', { ...readOnlyField, onDelete: 'cascade' }),
    zone_ids: refs('zones', readOnlyField),
    machine_ids: refs('machines', readOnlyField),
    metric: choice(alertKinds, { required: true, write: false }),
    severity: choice(alertSeverities, { required: true, write: false }),
    state: choice(alertStates, { required: true, write: false, default: 'open' }),
    value: number(readOnlyField),
    code: text({ ...readOnlyField, max: 120 }),
    problem: choice(problemKinds, { ...readOnlyField, store: 'derived' }),
    report: longtext({ ...readOnlyField, store: 'derived' }),
    reported_by: text({ ...readOnlyField, store: 'derived' }),
    opened_at: instant({ required: true, write: false }),
    acknowledged_at: instant(readOnlyField),
    acknowledged_by: text({ ...readOnlyField, max: 130 }),
    closed_at: instant(readOnlyField),
    closed_by: text({ ...readOnlyField, max: 130 }),
    next_reminder: instant(readOnlyField),
  },
  list: {
    columns: ['summary', 'severity', 'state', 'location_id', 'opened_at', 'acknowledged_by'],
    sort: '-opened_at',
    search: ['machines.serial_number', 'location.name', 'code'],
    filters: ['state', 'severity', 'metric', 'machine_ids', 'rule_id', 'location_id', 'opened_at'],
    hidden: [
      'metric',
      'problem',
      'report',
      'reported_by',
      'machine_ids',
      'floor_id',
      'zone_ids',
      'rule_id',
      'client_id',
      'acknowledged_at',
      'closed_at',
      'closed_by',
      'created_at',
    ],
  },
  special: ['acknowledge'],
  grants: {
    admin: ['list', 'show', 'export', 'acknowledge'],
    country_manager: ['list', 'show', 'export', 'acknowledge'],
    partner: ['list', 'show', 'export', 'acknowledge'],
    customer_admin: ['list', 'show', 'export', 'acknowledge'],
    site_manager: ['list', 'show', 'acknowledge'],
    operator: 'read',
  },
  scope: {
    country: 'client.country_id',
    client: 'client_id',
    site: [
      { fleet: 'machines.fleet_id', location: 'machines.location_id' },
      { fleet: 'floor.location.fleet_id', location: 'floor.location_id' },
    ],
    machine: [
      { machine: 'machines.id', fleet: 'machines.fleet_id', location: 'machines.location_id' },
      {
        machine: 'floor.location.machines.id',
        fleet: 'floor.location.fleet_id',
        location: 'floor.location_id',
      },
    ],
  },
});
