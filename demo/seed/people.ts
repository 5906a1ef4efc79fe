/** Generates the demo's users and invitations. */

import type { RoleName } from '../../schema/dsl/entity';
import { namedRoles } from '../../schema/shared/roles';
import { demoDomain } from '../../server/context/env';
import { asciiSlug } from './contacts';
import type { DemoMachine } from './machines';
import { firstNames, lastNames } from './names';
import type { Random } from './random';
import { type DemoClient, type DemoFleet, type DemoLocation, timestampsOf } from './sites';

/** Password of all demo logins; satisfies the password rules. */
export const demoPassword = 'Sweep!Line7';

/** One login per role, shown on the login page of a demo. */
export const demoLogins: readonly { role: string; email: string; password: string }[] = Object.entries(namedRoles).map(
  ([role, { name }]) => ({
    role: name,
    email: `${role.replace('_', '.')}@${demoDomain}`,
    password: demoPassword,
  }),
);

type Row = Record<string, unknown>;
type Link = [user: number, to: number];
export interface People {
  users: Row[];
  states: Row[];
  links: Record<'roles' | 'clients' | 'countries' | 'fleets' | 'locations' | 'machines', Link[]>;
}

interface PeopleSeedOptions {
  random: Random;
  ids: readonly number[];
  roleIds: ReadonlyMap<string, number>;
  languageIds: ReadonlyMap<string, number>;
  countryIds: ReadonlyMap<string, number>;
  clients: readonly DemoClient[];
  fleets: readonly DemoFleet[];
  locations: readonly DemoLocation[];
  machines: readonly DemoMachine[];
  now: Date;
}

const roles = Object.keys(namedRoles) as RoleName[];
/** Frequency of each role, in the order of `namedRoles`. */
const roleWeights = [2, 3, 6, 18, 26, 45];
const day = 86_400_000;

/** Generates users. The first six are the demo logins, one per role, in English. */
export function generatePeople(options: PeopleSeedOptions): People {
  const people: People = {
    users: [],
    states: [],
    links: { roles: [], clients: [], countries: [], fleets: [], locations: [], machines: [] },
  };
  const usedAddresses = new Set<string>();
  for (const [index, id] of options.ids.entries()) {
    const role = roles[index] ?? (roles[options.random.weighted(roleWeights)] as RoleName);
    addPerson(people, {
      options,
      usedAddresses,
      id,
      role,
      login: index < roles.length ? demoLogins[index]?.email : undefined,
    });
  }
  return people;
}

interface PersonOptions {
  options: PeopleSeedOptions;
  usedAddresses: Set<string>;
  id: number;
  role: RoleName;
  login: string | undefined;
}

function addPerson(people: People, { options, usedAddresses, id, role, login }: PersonOptions): void {
  const { random, now } = options;
  // All demo logins belong to the first client, so that people can compare their views.
  const client = login ? (options.clients[0] as DemoClient) : random.pick(options.clients);
  const { country } = client;
  const first_name = random.pick(firstNames[country.language] ?? []);
  const last_name = random.pick(lastNames[country.language] ?? []);
  const isStaff = role === 'admin' || role === 'country_manager';
  const joinedDaysAgo = login ? 200 : random.between(1, random.chance(0.12) ? 29 : 1400);
  people.users.push({
    id,
    first_name,
    last_name,
    email: login ?? addressFor(`${first_name}.${last_name}`, usedAddresses),
    phone: random.chance(0.8)
      ? `${country.dial} ${random.between(150, 179)} ${random.between(1_000_000, 9_999_999)}`
      : null,
    language_id: options.languageIds.get(login ? 'en' : country.language),
    client_id: isStaff || role === 'partner' ? null : client.id,
    is_staff: isStaff,
    allow_sms: random.chance(0.4),
    allow_email: random.chance(0.85),
    ...timestampsOf(new Date(now.getTime() - joinedDaysAgo * day - random.between(0, day))),
  });
  const activity = random.weighted([72, 16, 12]);
  const idleDays = activity === 0 ? random.between(0, 20) : random.between(91, 400);
  people.states.push({
    id,
    last_login:
      login || activity === 2 || idleDays > joinedDaysAgo
        ? null
        : new Date(now.getTime() - idleDays * day).toISOString(),
  });
  people.links.roles.push([id, options.roleIds.get(namedRoles[role].name) as number]);
  linkTo(people.links, { options, id, role, client, login });
}

interface LinkOptions extends Omit<PersonOptions, 'usedAddresses'> {
  client: DemoClient;
}

/** Links a user to the rows that limit what the role covers. */
function linkTo(links: People['links'], { options, id, role, client, login }: LinkOptions): void {
  const { random } = options;
  const fleets = options.fleets.filter((fleet) => fleet.client === client);
  const locations = options.locations.filter((location) => location.fleet.client === client);
  if (role === 'country_manager') {
    links.countries.push([id, options.countryIds.get(client.country.name) as number]);
    return;
  }
  if (role === 'partner') {
    const others = options.clients.filter((other) => other.country !== client.country);
    for (const linkedClient of [client, ...(others.length > 0 ? [random.pick(others)] : [])])
      links.clients.push([id, linkedClient.id]);
    return;
  }
  if (role === 'site_manager') {
    if (fleets.length > 1 && (login || random.chance(0.5))) links.fleets.push([id, (fleets.at(-1) as DemoFleet).id]);
    for (const location of pickDistinct(random, locations, 2)) links.locations.push([id, location.id]);
    return;
  }
  if (role !== 'operator') return;
  for (const location of pickDistinct(random, locations, 1)) links.locations.push([id, location.id]);
  const clientMachines = options.machines.filter((machine) => machine.fleet.client === client);
  for (const machine of pickDistinct(random, clientMachines, 3)) links.machines.push([id, machine.id]);
}

/** Returns at most `count` distinct items. */
function pickDistinct<T>(random: Random, from: readonly T[], count: number): T[] {
  return [...new Set(Array.from({ length: from.length === 0 ? 0 : count }, () => random.pick(from)))];
}

function addressFor(name: string, usedAddresses: Set<string>): string {
  const localPart = asciiSlug(name);
  let email = `${localPart}@${demoDomain}`;
  for (let suffix = 2; usedAddresses.has(email); suffix += 1) email = `${localPart}${suffix}@${demoDomain}`;
  usedAddresses.add(email);
  return email;
}

/** Generates open, accepted and expired invitations. */
export function generateInvitations({
  random,
  ids,
  options,
}: {
  random: Random;
  ids: readonly number[];
  options: PeopleSeedOptions;
}): Row[] {
  const usedAddresses = new Set<string>();
  return ids.map((id) => {
    const client = random.pick(options.clients);
    const role = random.pick(['customer_admin', 'site_manager', 'operator'] as const);
    const creationTime = options.now.getTime() - random.between(0, 20 * day);
    const first = random.pick(firstNames[client.country.language] ?? []);
    const last = random.pick(lastNames[client.country.language] ?? []);
    return {
      id,
      email: addressFor(`invited.${first}.${last}`, usedAddresses),
      role_id: options.roleIds.get(namedRoles[role].name),
      client_id: client.id,
      language_id: options.languageIds.get(client.country.language),
      accepted: random.chance(0.4),
      expires_at: new Date(creationTime + 7 * day).toISOString(),
      ...timestampsOf(new Date(creationTime)),
    };
  });
}
