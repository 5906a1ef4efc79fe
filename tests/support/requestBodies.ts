/** Values for creating rows of each entity, and their references within the test data. */
import type { EntityName } from '../../schema/index';
import { languageCodes } from '../../schema/shared/languages';
import { nextNumber, type Values } from './rows';
import type { Tenant, World } from './world';

/** References of a new row in one tenant, within the scope of every role that has a scope there. */
export const tenantReferences: { [N in EntityName]: (tenant: Tenant, world: World) => Values<N> } = {
  countries: () => ({}),
  languages: () => ({}),
  permissions: () => ({}),
  roles: () => ({}),
  types: () => ({}),
  trackers: () => ({}),
  integrations: ({ client }) => ({ client_id: client }),
  clients: ({ country }) => ({ country_id: country }),
  fleets: ({ client }) => ({ client_id: client }),
  locations: ({ fleets }) => ({ fleet_id: fleets[0] }),
  machines: ({ fleets, locations }, world) => ({ fleet_id: fleets[0], location_id: locations[0], type_id: world.type }),
  documents: ({ machines }) => ({ machine_id: machines[0] as number }),
  floors: ({ locations }) => ({ location_id: locations[0] }),
  zones: ({ floors }) => ({ floor_id: floors[0] }),
  runs: ({ machines }) => ({ machine_id: machines[0] as number }),
  service_entries: ({ machines }) => ({ machine_id: machines[0] as number }),
  service_plans: ({ machines }) => ({ machine_id: machines[0] as number }),
  alert_rules: ({ client }) => ({ client_id: client }),
  alerts: ({ client, alert_rules, locations, machines }) => ({
    rule_id: alert_rules[0],
    client_id: client,
    location_id: locations[0],
    machine_ids: [machines[0] as number],
  }),
  users: ({ client }, world) => ({ client_id: client, language_id: world.language, role_ids: [world.roles.operator] }),
  audit: () => ({}),
  saved_views: () => ({}),
  invitations: ({ client }, world) => ({
    client_id: client,
    language_id: world.language,
    role_id: world.roles.operator,
  }),
  report_schedules: ({ client }) => ({ client_id: client }),
  imports: ({ users }) => ({ user_id: users.customer_admin }),
};

/** Request body that creates a row. */
export const requestBodies: { [N in EntityName]: () => Record<string, unknown> } = {
  countries: () => ({ name: `Country ${nextNumber()}` }),
  languages: () => ({ name: `Language ${nextNumber()}`, two_letter_code: unusedLanguageCode() }),
  permissions: () => ({ name: `Permission ${nextNumber()}`, code_name: `extra${nextNumber()}.show` }),
  roles: () => ({ name: `Role ${nextNumber()}`, scope: 'machine', permission_ids: [] }),
  types: () => ({ name: `Scrubber ${nextNumber()}`, tracking: true }),
  trackers: () => ({
    refno: `TR-${nextNumber()}`,
    tracker_or_serial: `device-${nextNumber()}`,
    mode: 'http',
    status: 'active',
    color: '#0b7a75',
    is_dummy: false,
  }),
  integrations: () => ({ name: `Cloud ${nextNumber()}`, preset: 'pudu' }),
  clients: () => ({
    name: `Client ${nextNumber()}`,
    building: '1',
    street: 'Street',
    city: 'City',
    postal_code: '01067',
    sms_activation: false,
    tags: [],
  }),
  fleets: () => ({ name: `Fleet ${nextNumber()}`, color: '#0b7a75' }),
  locations: () => ({
    name: `Site ${nextNumber()}`,
    address: 'Platz 1',
    city: 'City',
    postal_code: '20095',
    time_zone: 'Europe/Berlin',
  }),
  machines: () => ({ serial_number: `new-${nextNumber()}` }),
  documents: () => ({ name: `new-${nextNumber()}.pdf` }),
  floors: () => ({ name: `Floor ${nextNumber()}` }),
  zones: () => ({
    name: `Zone ${nextNumber()}`,
    kind: 'clean',
    polygon: [
      [0, 0],
      [4, 0],
      [4, 3],
    ],
  }),
  runs: () => ({
    started_at: new Date(Date.UTC(2025, 6, 1, 8, nextNumber() % 1440)).toISOString(),
    ended_at: '2025-07-03T09:00:00.000Z',
    outcome: 'completed',
  }),
  service_entries: () => ({ date: '2025-06-01', kind: 'maintenance' }),
  service_plans: () => ({ name: `Plan ${nextNumber()}`, every_months: 12 }),
  alert_rules: () => ({ name: `Rule ${nextNumber()}`, metric: 'offline' }),
  alerts: () => ({ severity: 'warning' }),
  users: () => ({
    first_name: 'New',
    last_name: 'User',
    email: `new${nextNumber()}@example.com`,
    is_staff: false,
    allow_sms: false,
    allow_email: true,
  }),
  audit: () => ({}),
  saved_views: () => ({ name: `View ${nextNumber()}`, resource: 'machines', layout: 'table', is_default: false }),
  invitations: () => ({ email: `new${nextNumber()}@example.com` }),
  report_schedules: () => ({
    name: `Monthly ${nextNumber()}`,
    report: 'cleaning',
    emails: [`reader${nextNumber()}@example.com`],
  }),
  imports: () => ({}),
};

let usedCodes = 0;
/** Returns a language code that no other row has. */
export function unusedLanguageCode(): string {
  usedCodes += 1;
  const letters = String.fromCharCode(97 + (usedCodes % 26), 97 + Math.floor(usedCodes / 26));
  return (languageCodes as readonly string[]).includes(letters) ? unusedLanguageCode() : letters;
}
