/** One machine of the simulator: what it does next, and what it would say of it. */
import type { StateName } from '../../schema/entities/machines';
import type { DeviceLanguage } from './languages';
import type { Counters, DeviceReport } from './report';

export interface Simulated {
  device: string;
  state: StateName;
  /** Percent. */
  battery: number;
  latitude: number;
  longitude: number;
  /** Where it charges and parks. */
  dock: { latitude: number; longitude: number };
  /** Degrees from north. */
  heading: number;
  /** Cleans where somebody may be watching: reports often. */
  lively: boolean;
  /** Of its tracker. Most protocols ask for one. */
  secret?: string;
  /** Without one it speaks OsmAnd. */
  language?: DeviceLanguage;
}

const metresPerDegree = 111_320;
/** m/s while cleaning. */
const pace = 0.8;
/** m2 per second. */
const width = 0.75;
/** Metres from the dock at which a machine turns back. */
const reach = 60;
/** Seconds without a report that still count as work. */
const longest = 600;

/**
 * Percent per second: cleaning lasts about three hours, charging two; quicker for lively machines, so that something
 * can be seen.
 */
const drain: Partial<Record<StateName, number>> = { Cleaning: -0.008, Charging: 0.012, Parked: -0.0001 };
const hurry = 6;

/** Lives on for some seconds, counts its work, and says how it is then. `random` gives numbers from 0 to 1. */
export function report(
  machine: Simulated,
  counters: Counters,
  { at, seconds, random }: { at: Date; seconds: number; random: () => number },
): DeviceReport {
  step(machine, seconds, random);
  const worked = machine.state === 'Cleaning' ? Math.min(Math.max(seconds, 0), longest) : 0;
  const area = Math.round(worked * width);
  counters.areaTotal += area;
  counters.odometer += Math.round(worked * pace);
  const { state, latitude, longitude } = machine;
  const known = {
    battery: Math.round(machine.battery),
    heading: Math.round(machine.heading) % 360,
    speed: state === 'Cleaning' ? pace : 0,
  };
  return { at, state, latitude: rounded(latitude), longitude: rounded(longitude), ...known, area, ...counters };
}

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

function step(machine: Simulated, seconds: number, random: () => number): void {
  machine.battery = Math.min(
    100,
    Math.max(5, machine.battery + (drain[machine.state] ?? 0) * seconds * (machine.lively ? hurry : 1)),
  );
  machine.state = nextState(machine, seconds, random);
  if (machine.state === 'Cleaning') move(machine, Math.min(seconds, 60), random);
  else Object.assign(machine, machine.dock);
}

function nextState({ state, battery, lively }: Simulated, seconds: number, random: () => number): StateName {
  if (state === 'Cleaning') return battery < 20 ? 'Charging' : state;
  if (state === 'Charging') return battery > 96 ? 'Parked' : state;
  // Parked machines begin again by and by: lively ones within minutes, others within hours.
  return battery > 40 && random() < seconds / (lively ? 400 : 40_000) ? 'Cleaning' : 'Parked';
}

function move(machine: Simulated, seconds: number, random: () => number): void {
  const north = (machine.latitude - machine.dock.latitude) * metresPerDegree;
  const east =
    (machine.longitude - machine.dock.longitude) * metresPerDegree * Math.cos((machine.latitude * Math.PI) / 180);
  const home = (Math.atan2(-east, -north) * 180) / Math.PI;
  machine.heading = Math.hypot(north, east) > reach ? home : machine.heading + (random() - 0.5) * 70;
  machine.heading = (machine.heading + 360) % 360;
  const way = (pace * seconds) / metresPerDegree;
  machine.latitude += way * Math.cos((machine.heading * Math.PI) / 180);
  machine.longitude +=
    (way * Math.sin((machine.heading * Math.PI) / 180)) / Math.cos((machine.latitude * Math.PI) / 180);
}
