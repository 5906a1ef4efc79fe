/**
 * Two tenants that must not see each other: a client in Germany ("north") and one in Sweden ("south"). Each has two
 * fleets, four locations, eight machines with trackers and documents, an invitation, and one user per role. In the
 * north each role has a different scope, listed here by hand.
 */
import { sql } from 'drizzle-orm';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import type { EntityName } from '../../schema/index';
import { namedRoles } from '../../schema/shared/roles';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { add } from './rows';

export interface Tenant {
  country: number;
  client: number;
  fleets: [number, number];
  /** Two per fleet, in the order of the fleets. */
  locations: [number, number, number, number];
  /** Two per location, in the order of the locations. */
  machines: number[];
  /** One per machine, in the same order. */
  trackers: number[];
  documents: number[];
  /** One per location, with one zone each. */
  floors: number[];
  zones: number[];
  /** One per machine. */
  runs: number[];
  service_entries: number[];
  service_plans: number[];
  /** Rule of the client; inactive. */
  alert_rules: number[];
  /** One per machine; closed. */
  alerts: number[];
  /** Schedule of the client; inactive. */
  report_schedules: number[];
  /** Integration of the client. */
  integrations: number[];
  invitation: number;
  /** Id of an import of the Customer Admin. */
  import: number;
  users: Record<Exclude<RoleName, 'admin'>, number>;
}

export interface World {
  north: Tenant;
  south: Tenant;
  /** A user with the role Admin. */
  admin: number;
  language: number;
  type: number;
  roles: Record<RoleName, number>;
  /** A tracker that is on no machine: visible to Admins only. */
  unassignedTracker: number;
  /** Users of the north, one per role, and the Admin. */
  users: Record<RoleName, number>;
}

/** Fills a database that contains the base rows. */
export async function addWorld(db: Queries): Promise<World> {
  const language = await readId(db, 'languages', 'two_letter_code', 'en');
  const type = await add(db, 'types', { name: 'Scrubber S1' });
  const roles = Object.fromEntries(
    await Promise.all(roleNames.map(async (role) => [role, await readId(db, 'roles', 'name', namedRoles[role].name)])),
  ) as Record<RoleName, number>;
  const commonIds = { language, type, roles };
  const north = await addTenant(db, {
    ...commonIds,
    name: 'North',
    country: await readId(db, 'countries', 'name', 'Germany'),
  });
  const south = await addTenant(db, {
    ...commonIds,
    name: 'South',
    country: await readId(db, 'countries', 'name', 'Sweden'),
  });
  const admin = await add(db, 'users', {
    email: 'admin@example.com',
    last_name: 'Admin',
    language_id: language,
    role_ids: [roles.admin],
  });
  const unassignedTracker = await add(db, 'trackers', { refno: 'TR-LOOSE' });
  return { north, south, admin, ...commonIds, unassignedTracker, users: { admin, ...north.users } };
}

interface TenantOptions {
  name: string;
  country: number;
  language: number;
  type: number;
  roles: Record<RoleName, number>;
}

async function addTenant(db: Queries, { name, country, language, type, roles }: TenantOptions): Promise<Tenant> {
  const client = await add(db, 'clients', {
    name: `${name} Cleaning`,
    city: name,
    country_id: country,
    contact_name: `${name} Contact`,
    tags: [name.toLowerCase()],
  });
  const fleets: number[] = [];
  const locations: number[] = [];
  const machines: number[] = [];
  const trackers: number[] = [];
  const documents: number[] = [];
  const floors: number[] = [];
  const zones: number[] = [];
  const runs: number[] = [];
  const service_entries: number[] = [];
  const service_plans: number[] = [];
  const report_schedules = [await add(db, 'report_schedules', { name: `${name} proof`, client_id: client })];
  const integrations = [await add(db, 'integrations', { name: `${name} cloud`, client_id: client })];
  const alert_rules = [await add(db, 'alert_rules', { name: `${name} offline`, client_id: client })];
  const alerts: number[] = [];
  for (const fleetNumber of [1, 2]) {
    const fleet = await add(db, 'fleets', {
      name: `${name} Fleet ${fleetNumber}`,
      client_id: client,
      working_radius: 100 * fleetNumber,
    });
    fleets.push(fleet);
    for (const locationNumber of [1, 2]) {
      const location = await add(db, 'locations', {
        name: `${name} Site ${fleetNumber}${locationNumber}`,
        city: name,
        fleet_id: fleet,
        latitude: 53.5,
        longitude: 10,
      });
      locations.push(location);
      const floor = await add(db, 'floors', {
        name: `${name} ${fleetNumber}${locationNumber}`,
        location_id: location,
        level: locationNumber,
      });
      floors.push(floor);
      zones.push(await add(db, 'zones', { name: `${name} Hall ${fleetNumber}${locationNumber}`, floor_id: floor }));
      for (const machineNumber of [1, 2]) {
        const tracker = await add(db, 'trackers', {
          refno: `TR-${name}-${fleetNumber}${locationNumber}${machineNumber}`,
        });
        const machine = await add(db, 'machines', {
          serial_number: `${name}-${fleetNumber}${locationNumber}${machineNumber}`,
          type_id: type,
          fleet_id: fleet,
          location_id: location,
          tracker_id: tracker,
          price: `${fleetNumber}${locationNumber}${machineNumber}.50`,
          purchase_date: `202${fleetNumber}-0${locationNumber}-0${machineNumber}`,
          depreciation_rate: 10,
          last_service: `2024-0${fleetNumber}-1${machineNumber}`,
          next_service_due: `2044-0${fleetNumber}-1${machineNumber}`,
        });
        trackers.push(tracker);
        machines.push(machine);
        documents.push(
          await add(db, 'documents', {
            name: `${name}-${fleetNumber}${locationNumber}${machineNumber}.pdf`,
            machine_id: machine,
          }),
        );
        runs.push(
          await add(db, 'runs', {
            task_name: `${name} ${fleetNumber}${locationNumber}${machineNumber}`,
            machine_id: machine,
            location_id: location,
          }),
        );
        service_entries.push(
          await add(db, 'service_entries', {
            date: `2024-0${fleetNumber}-1${machineNumber}`,
            cost: `${locationNumber}${machineNumber}.25`,
            note: `${name} ${fleetNumber}${locationNumber}${machineNumber}`,
            machine_id: machine,
          }),
        );
        service_plans.push(
          await add(db, 'service_plans', {
            name: `${name} ${fleetNumber}${locationNumber}${machineNumber}`,
            machine_id: machine,
            every_months: 240,
          }),
        );
        alerts.push(
          await add(db, 'alerts', {
            rule_id: alert_rules[0],
            client_id: client,
            location_id: location,
            machine_ids: [machine],
          }),
        );
      }
    }
  }
  const addUser = (role: Exclude<RoleName, 'admin'>, links: object) =>
    add(db, 'users', {
      email: `${role}@${name.toLowerCase()}.example.com`,
      first_name: name,
      last_name: namedRoles[role].name,
      language_id: language,
      role_ids: [roles[role]],
      ...links,
    });
  const [firstLocation, , thirdLocation] = locations as [number, number, number];
  const users = {
    country_manager: await addUser('country_manager', { country_ids: [country] }),
    partner: await addUser('partner', { client_ids: [client] }),
    customer_admin: await addUser('customer_admin', { client_id: client }),
    // All of the first fleet, and one location of the second.
    site_manager: await addUser('site_manager', {
      client_id: client,
      fleet_ids: [fleets[0]],
      location_ids: [thirdLocation],
    }),
    // One machine of the second location, and all of the first location.
    operator: await addUser('operator', {
      client_id: client,
      machine_ids: [machines[2]],
      location_ids: [firstLocation],
    }),
  };
  const invitation = await add(db, 'invitations', {
    email: `guest@${name.toLowerCase()}.example.com`,
    role_id: roles.operator,
    client_id: client,
    language_id: language,
  });
  const importId = await add(db, 'imports', { user_id: users.customer_admin });
  return {
    country,
    client,
    fleets,
    locations,
    machines,
    trackers,
    documents,
    floors,
    zones,
    runs,
    service_entries,
    service_plans,
    alert_rules,
    alerts,
    report_schedules,
    integrations,
    invitation,
    import: importId,
    users,
  } as Tenant;
}

async function readId(db: Queries, table: EntityName, column: string, value: string): Promise<number> {
  const row = await db.selectOne(
    { id: pg.integer },
    sql`select id from ${sql.identifier(table)} where ${sql.identifier(column)} = ${value}`,
  );
  if (!row) throw new Error(`The base seed holds no ${value} in ${table}.`);
  return row.id;
}

/** Entities with limited scope. Of all others, users who may list them see every row. */
export type ScopedEntity =
  | 'clients'
  | 'fleets'
  | 'locations'
  | 'machines'
  | 'trackers'
  | 'documents'
  | 'floors'
  | 'zones'
  | 'runs'
  | 'service_entries'
  | 'service_plans'
  | 'alert_rules'
  | 'alerts'
  | 'report_schedules'
  | 'integrations'
  | 'users'
  | 'invitations'
  | 'imports';

/**
 * Ids within the scope of each role except Admin. Written by hand from domain.md, not derived from the declarations.
 */
export function idsInScope(role: Exclude<RoleName, 'admin'>, world: World): Record<ScopedEntity, number[]> {
  const { north, users } = world;
  const pick = (list: readonly number[], ...indexes: number[]) => indexes.map((index) => list[index] as number);
  const wholeTenant = ({
    country: _country,
    users: _users,
    import: _import,
    client,
    fleets,
    locations,
    invitation,
    ...rows
  }: Tenant) => ({
    ...rows,
    clients: [client],
    fleets: [...fleets],
    locations: [...locations],
    invitations: [invitation],
    imports: [],
  });
  const members = [users.customer_admin, users.site_manager, users.operator];
  switch (role) {
    case 'country_manager':
      return { ...wholeTenant(north), users: [users.country_manager, ...members] };
    case 'partner':
      return { ...wholeTenant(north), users: [users.partner, ...members] };
    case 'customer_admin':
      return { ...wholeTenant(north), users: members, imports: [north.import] };
    case 'site_manager': {
      // Locations 1, 2 (first fleet) and 3 (second fleet) with two machines each.
      const machines = [0, 1, 2, 3, 4, 5];
      return {
        clients: [north.client],
        fleets: [...north.fleets],
        locations: pick(north.locations, 0, 1, 2),
        machines: pick(north.machines, ...machines),
        trackers: pick(north.trackers, ...machines),
        documents: pick(north.documents, ...machines),
        floors: pick(north.floors, 0, 1, 2),
        zones: pick(north.zones, 0, 1, 2),
        runs: pick(north.runs, ...machines),
        service_entries: pick(north.service_entries, ...machines),
        service_plans: pick(north.service_plans, ...machines),
        alert_rules: [],
        report_schedules: [],
        integrations: [],
        alerts: pick(north.alerts, ...machines),
        // The operator works at the first location, which belongs to the fleet but is not linked to the user itself.
        users: [users.site_manager],
        invitations: [],
        imports: [],
      };
    }
    case 'operator': {
      const machines = [0, 1, 2];
      return {
        clients: [north.client],
        fleets: [north.fleets[0]],
        locations: pick(north.locations, 0, 1),
        machines: pick(north.machines, ...machines),
        trackers: pick(north.trackers, ...machines),
        documents: pick(north.documents, ...machines),
        floors: pick(north.floors, 0, 1),
        zones: pick(north.zones, 0, 1),
        runs: pick(north.runs, ...machines),
        service_entries: pick(north.service_entries, ...machines),
        service_plans: pick(north.service_plans, ...machines),
        alert_rules: [],
        report_schedules: [],
        integrations: [],
        alerts: pick(north.alerts, ...machines),
        users: [users.operator],
        invitations: [],
        imports: [],
      };
    }
  }
}
