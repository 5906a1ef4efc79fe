import { entity } from '../dsl/entity';
import { boolean, choice, instant, integer, ref, refs, tags, text } from '../dsl/field';
import { reportNames } from '../shared/reportNames';

export const rhythms = ['monthly', 'weekly'] as const;
/** In ISO 8601 order, beginning with Monday. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
/** Contents of a schedule: a report, or the list of a saved view. */
export const scheduledNames = [...reportNames, 'list'] as const;
export type ScheduledName = (typeof scheduledNames)[number];
/** Outcomes of a schedule's last turn. */
export const scheduleOutcomes = ['sent', 'no_rights', 'no_recipients', 'too_large', 'failed'] as const;
/** Maximum addresses per schedule. */
export const maxRecipients = 20;

/**
 * Schedules that mail a client's reports every month or week, in local time. The contents are what the owner may see at
 * that moment. Whoever saves a schedule becomes its owner.
 */
export const reportSchedules = entity('report_schedules', {
  title: 'name',
  fields: {
    name: text({ required: true, max: 120 }),
    report: choice(scheduledNames, { required: true, default: 'cleaning' }),
    client_id: ref('clients', { required: true, onDelete: 'cascade' }),
    fleet_id: ref('fleets', { onDelete: 'cascade', help: true }),
    location_id: ref('locations', { onDelete: 'cascade' }),
    view_id: ref('saved_views', { help: true }),
    is_detailed: boolean({ required: true, default: true, help: true }),
    is_active: boolean({ required: true, default: true }),
    rhythm: choice(rhythms, { required: true, default: 'monthly', help: true }),
    day_of_month: integer({ required: true, default: 1, min: 1, max: 31, help: true }),
    weekday: choice(weekdays, { required: true, default: 'monday', help: true }),
    hour: integer({ required: true, default: 6, min: 0, max: 23, help: true }),
    user_ids: refs('users'),
    emails: tags({ help: true }),
    language_id: ref('languages', { help: true }),
    user_id: ref('users', { write: false, onDelete: 'cascade' }),
    next_due: instant({ write: false, store: 'state' }),
    last_sent: instant({ write: false, store: 'state' }),
    outcome: choice(scheduleOutcomes, { write: false, store: 'state' }),
  },
  list: {
    columns: ['name', 'report', 'client_id', 'location_id', 'rhythm', 'next_due', 'last_sent', 'outcome', 'is_active'],
    sort: 'name',
    search: ['name'],
    filters: ['report', 'client_id', 'outcome', 'is_active'],
  },
  form: {
    main: ['name', 'report', 'client_id', 'fleet_id', 'location_id', 'view_id', 'is_detailed', 'is_active'],
    when: ['rhythm', 'day_of_month', 'weekday', 'hour'],
    recipients: ['user_ids', 'emails', 'language_id'],
  },
  grants: {
    admin: 'all',
    country_manager: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    partner: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    customer_admin: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    site_manager: 'none',
    operator: 'none',
  },
  scope: { country: 'client.country_id', client: 'client_id' },
});
