/** Generates the demo's clients, fleets and locations. */
import { parseHours } from '../../schema/dsl/parseHours';
import { asciiSlug, contactOf } from './contacts';
import { clientForms, clientNames, clientTags, fleetColors, fleetNames } from './names';
import type { Random } from './random';
import { type SeedCountry, seedCountries } from './seedCountries';

export interface DemoClient {
  id: number;
  country: SeedCountry;
  name: string;
  /** Domain of the client's e-mail addresses. */
  domain: string;
  /** Start of the business relation. */
  since: Date;
}
export interface DemoFleet {
  id: number;
  client: DemoClient;
  /** Share of the machines, relative to the other fleets. */
  weight: number;
}
export interface DemoLocation {
  id: number;
  fleet: DemoFleet;
  latitude: number;
  longitude: number;
  time_zone: string;
}
type Row = Record<string, unknown>;

/** Number of clients per country, out of twelve. */
const countryWeights = [4, 2, 2, 2, 2];

/** One client in this many became a client within the last month. */
const newClientInterval = 6;
const day = 86_400_000;

export function generateClients({
  random,
  ids,
  countries,
  now,
}: {
  random: Random;
  ids: readonly number[];
  countries: ReadonlyMap<string, number>;
  now: Date;
}): {
  clients: DemoClient[];
  rows: Row[];
} {
  const turns = new Map<SeedCountry, number>();
  const clients = ids.map((id, index): DemoClient => {
    const country = seedCountries[countryIndexOf(index)] as SeedCountry;
    const turn = turns.get(country) ?? 0;
    turns.set(country, turn + 1);
    const daysAgo =
      index % newClientInterval === newClientInterval - 1 ? random.between(2, 26) : random.between(200, 2200);
    return {
      id,
      country,
      ...namesOf(random, country, turn),
      since: new Date(now.getTime() - daysAgo * day - random.between(0, day)),
    };
  });
  const rows = clients.map(({ id, country, name, domain, since }): Row => {
    const city = random.pick(country.cities);
    return {
      id,
      name,
      ...addressOf(random, country, city.postal_code),
      city: city.name,
      country_id: countries.get(country.name),
      ...contactOf(random, country, domain),
      sms_activation: random.chance(0.6),
      ...timestampsOf(since),
      tags: clientTags.filter(() => random.chance(0.25)),
    };
  });
  return { clients, rows };
}

/** Returns a name that is unique in its country. If the names run out, a city follows, and later a number. */
function namesOf(random: Random, country: SeedCountry, turn: number): { name: string; domain: string } {
  const names = clientNames[country.name] ?? [];
  const round = Math.floor(turn / names.length);
  const city = country.cities[(round - 1) % country.cities.length]?.name;
  const lapNumber = Math.ceil(round / country.cities.length);
  const uniqueName = [
    names[turn % names.length],
    ...(round > 0 ? [city] : []),
    ...(lapNumber > 1 ? [String(lapNumber)] : []),
  ].join(' ');
  return {
    name: `${uniqueName} ${random.pick(clientForms[country.name] ?? [''])}`,
    domain: `${asciiSlug(uniqueName)}.example`,
  };
}

/** Timestamps of a row that has not changed since it was created. */
export const timestampsOf = (instant: Date): Row => ({
  created_at: instant.toISOString(),
  updated_at: instant.toISOString(),
});

/** Returns a random moment between two others. */
export const momentBetween = (random: Random, from: Date, to: Date): Date =>
  new Date(from.getTime() + Math.floor(random.next() * (to.getTime() - from.getTime())));

/**
 * Returns the country of a client. Countries alternate, so that even the first few clients are in several countries.
 */
function countryIndexOf(index: number): number {
  const order = countryWeights.flatMap((weight, country) =>
    Array.from({ length: weight }, (_, turn) => ({ country, at: (turn + 0.5) / weight })),
  );
  order.sort((a, b) => a.at - b.at || a.country - b.country);
  return order[index % order.length]?.country ?? 0;
}

function addressOf(random: Random, country: SeedCountry, postal_code: string) {
  return { street: random.pick(country.streets), building: String(random.between(1, 180)), postal_code };
}

/** Generates fleets: at least one per client; some are small, and a few have most of the machines. */
export function generateFleets(
  random: Random,
  { ids, clients, now }: { ids: readonly number[]; clients: readonly DemoClient[]; now: Date },
): {
  fleets: DemoFleet[];
  rows: Row[];
} {
  const weights = [0.2, 0.5, 1, 1.5, 3];
  const fleets = ids.map((id, index): DemoFleet => {
    const client = (index < clients.length ? clients[index] : random.pick(clients)) as DemoClient;
    return { id, client, weight: random.pick(weights) };
  });
  const usedCounts = new Map<number, number>();
  const rows = fleets.map(({ id, client }): Row => {
    const nth = usedCounts.get(client.id) ?? 0;
    usedCounts.set(client.id, nth + 1);
    const name =
      nth < fleetNames.length
        ? `${fleetNames[nth]}`
        : `${fleetNames[nth % fleetNames.length]} ${Math.floor(nth / fleetNames.length) + 1}`;
    return {
      id,
      name: `${client.name.split(' ')[0]} ${name}`,
      client_id: client.id,
      color: random.pick(fleetColors),
      working_radius: random.pick([250, 500, 800, 1500]),
      ...timestampsOf(momentBetween(random, client.since, now)),
    };
  });
  return { fleets, rows };
}

/** Generates sites within a few kilometres of the centre of a city. */
export function generateLocations(
  random: Random,
  { ids, fleets, now }: { ids: readonly number[]; fleets: readonly DemoFleet[]; now: Date },
): {
  locations: DemoLocation[];
  rows: Row[];
} {
  const locations: DemoLocation[] = [];
  const rows = ids.map((id, index): Row => {
    const fleet = (
      index < fleets.length ? fleets[index] : fleets[random.weighted(fleets.map(({ weight }) => weight + 0.5))]
    ) as DemoFleet;
    const { country } = fleet.client;
    const city = random.pick(country.cities);
    const latitude = round(city.latitude + (random.next() - 0.5) * 0.08);
    const longitude = round(city.longitude + (random.next() - 0.5) * 0.12);
    locations.push({ id, fleet, latitude, longitude, time_zone: country.time_zone });
    const { street, building } = addressOf(random, country, city.postal_code);
    const [opening_hours, cleaning_plan] = random.pick(timesOfSites);
    return {
      id,
      name: `${random.pick(country.sites)} ${city.name}`,
      fleet_id: fleet.id,
      address: country.hasNumberFirst ? `${building} ${street}` : `${street} ${building}`,
      postal_code: city.postal_code,
      city: city.name,
      latitude,
      longitude,
      time_zone: country.time_zone,
      opening_hours,
      cleaning_plan,
      ...(random.chance(0.8) ? contactOf(random, country, fleet.client.domain) : {}),
      ...timestampsOf(momentBetween(random, fleet.client.since, now)),
    };
  });
  return { locations, rows };
}

/** Opening hours and cleaning plans of sites. */
const timesOfSites = [
  [parseHours('Mo-Fr 08:00-18:00; PH off'), 'monday_to_friday'],
  [parseHours('Mo-Sa 07:00-22:00; PH off'), 'monday_to_saturday'],
  [parseHours('24/7'), 'daily'],
  [parseHours('Mo-Su 06:00-23:00'), 'daily'],
] as const;

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
