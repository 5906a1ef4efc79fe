/** Generates the demo's machine types, machines and trackers. */
import { addToGroup } from '../../schema/dsl/addToGroup';
import { addMonths } from '../../server/features/service/forecast';
import { machineTypes, serviceIntervalMonths } from './names';
import type { Random } from './random';
import { type DemoFleet, type DemoLocation, timestampsOf } from './sites';

export interface DemoMachine {
  id: number;
  fleet: DemoFleet;
  location: DemoLocation | undefined;
  /** Device id of its tracker. A machine without one never reports. */
  device: string | undefined;
  /** Square metres per hour of cleaning. */
  area: number;
}
type Row = Record<string, unknown>;

interface MachineSeedOptions {
  random: Random;
  ids: readonly number[];
  trackerIds: readonly number[];
  typeIds: readonly number[];
  fleets: readonly DemoFleet[];
  locations: readonly DemoLocation[];
  now: Date;
}

const day = 86_400_000;
const dayBefore = (now: Date, days: number) => new Date(now.getTime() - days * day).toISOString().slice(0, 10);

/** Generates machines with their trackers. Surplus trackers stay unassigned. */
export function generateMachines({ random, ids, trackerIds, typeIds, fleets, locations, now }: MachineSeedOptions) {
  const machines: DemoMachine[] = [];
  const rows: Row[] = [];
  const trackers: Row[] = [];
  const sitesOf = new Map<number, DemoLocation[]>();
  for (const location of locations) addToGroup(sitesOf, location.fleet.id, location);
  const fleetWeightSums = runningSums(fleets.map(({ weight }) => weight));
  const typeWeightSums = runningSums(machineTypes.map(({ weight }) => weight));

  for (const [index, id] of ids.entries()) {
    const fleet = fleets[index < fleets.length ? index : weightedIndex(random, fleetWeightSums)] as DemoFleet;
    const typeIndex = weightedIndex(random, typeWeightSums);
    const type = machineTypes[typeIndex] as (typeof machineTypes)[number];
    const stock_state = ['deployed', 'in_stock', 'in_repair', 'retired'][random.weighted([90, 4, 4, 2])];
    const sites = sitesOf.get(fleet.id) ?? [];
    const location = stock_state === 'deployed' && sites.length > 0 ? random.pick(sites) : undefined;
    const isTracked = type.tracking && random.chance(0.97);
    const trackerId = isTracked ? trackerIds[trackers.length] : undefined;
    const device = trackerId === undefined ? undefined : deviceId(trackerId);
    const purchaseDate = randomPurchaseDate(random, now);
    if (trackerId !== undefined) trackers.push({ ...trackerRow(random, trackerId), ...timestampsOf(purchaseDate) });
    machines.push({ id, fleet, location, device: stock_state === 'retired' ? undefined : device, area: type.area });
    rows.push({
      id,
      ...identityFields(random, { type, id, index }),
      type_id: typeIds[typeIndex],
      fleet_id: fleet.id,
      location_id: location?.id ?? null,
      tracker_id: trackerId ?? null,
      stock_state,
      ...costFields(random, { price: type.price, purchaseDate, now }),
      ...timestampsOf(purchaseDate),
    });
  }
  for (const id of trackerIds.slice(trackers.length))
    trackers.push({ ...trackerRow(random, id), ...timestampsOf(randomPurchaseDate(random, now)) });
  return { machines, rows, trackers };
}

function identityFields(
  random: Random,
  { type, id, index }: { type: (typeof machineTypes)[number]; id: number; index: number },
): Row {
  return {
    serial_number: [
      `${type.code}`,
      `${random.between(19, 26)}${String(random.between(1, 52)).padStart(2, '0')}`,
      String(id).padStart(5, '0'),
    ].join('-'),
    reference_number: `R${String(100_000 + id)}`,
    inventory_number: random.chance(0.8) ? `INV-${String(4000 + index).padStart(6, '0')}` : null,
    inventory_status: ['found', 'unchecked', 'missing'][random.weighted([80, 17, 3])],
    is_dummy: random.chance(0.01),
    note: random.chance(0.06)
      ? random.pick([
          'Squeegee changed.',
          'Docking station moved to gate 4.',
          'Brush wear above average.',
          'Loaned to another site until spring.',
        ])
      : null,
    allow_sms: random.chance(0.5),
    allow_email: random.chance(0.9),
  };
}

/** Returns a purchase date; a few machines are new. */
function randomPurchaseDate(random: Random, now: Date): Date {
  const daysAgo = random.chance(0.03) ? random.between(2, 27) : random.between(60, 2200);
  return new Date(now.getTime() - daysAgo * day - random.between(0, day));
}

function costFields(
  random: Random,
  { price, purchaseDate, now }: { price: number; purchaseDate: Date; now: Date },
): Row {
  const age = Math.floor((now.getTime() - purchaseDate.getTime()) / day);
  const cents = (amount: number) => amount.toFixed(2);
  const purchase = {
    working_radius_m2: random.pick([800, 1500, 2500, 4000, 8000, 12_000]),
    purchase_date: dayBefore(purchaseDate, 0),
    price: cents(price * (0.88 + random.next() * 0.16)),
    depreciation_rate: random.pick([12.5, 20, 25]),
  };
  // Most machines had a service within the last year; a few are late.
  const recent = age > 30 && random.chance(0.9) ? random.between(5, Math.min(age, 340)) : undefined;
  const deviation = random.between(-200, 20);
  const days = age > 400 && deviation > 12 ? 354 + deviation : (recent ?? (age > 330 ? 220 + deviation : undefined));
  const last_service = days === undefined ? null : dayBefore(now, days);
  return {
    ...purchase,
    last_service,
    next_service_due: addMonths(last_service ?? dayBefore(purchaseDate, 0), serviceIntervalMonths),
    total_maintenance_cost: cents(age > 30 ? random.next() * price * 0.2 : 0),
    previous_cleaning_time: random.chance(0.15) ? random.between(100, 900) * 3600 : 0,
    previous_charging_time: random.chance(0.15) ? random.between(100, 900) * 3600 : 0,
    previous_operating_time: random.chance(0.15) ? random.between(300, 1900) * 3600 : 0,
  };
}

/** Whether the demo generated this device id. */
export const isDemoDevice = (device: string): boolean => /^8650\d{11}$/.test(device);

/** Returns a device id with the length of an IMEI. */
const deviceId = (trackerId: number) => `8650${String(30_000_000_000 + trackerId * 7919).padStart(11, '0')}`;

function trackerRow(random: Random, id: number): Row {
  return {
    id,
    refno: `TRK-${String(id).padStart(6, '0')}`,
    tracker_or_serial: deviceId(id),
    mode: 'http',
    status: ['active', 'inactive', 'in_repair'][random.weighted([96, 2, 2])],
    color: random.pick(['#0b7a75', '#3b5bab', '#7a4e0b', '#6a3d9a']),
    is_dummy: random.chance(0.01),
  };
}

function runningSums(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

/** Returns a random index by weight. `sums` are the running sums of the weights. */
function weightedIndex(random: Random, sums: readonly number[]): number {
  const target = random.next() * (sums.at(-1) ?? 0);
  const index = sums.findIndex((sum) => target < sum);
  return index === -1 ? sums.length - 1 : index;
}
