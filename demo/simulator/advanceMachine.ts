/** One simulated machine: its next state and its report of it. */
import type { StateName } from '../../schema/entities/machines';
import type { Counters, DeviceReport } from './deviceReport';
import type { DeviceLanguage } from './languages';

export interface SimulatedMachine {
  device: string;
  state: StateName;
  /** Percent. */
  battery: number;
  latitude: number;
  longitude: number;
  /** Position of its charging dock. */
  dock: { latitude: number; longitude: number };
  /** Degrees from north. */
  heading: number;
  /** Reports often, for screens that somebody watches. */
  lively: boolean;
  /** Secret of its tracker, which most protocols require. */
  secret?: string;
  /** Default: OsmAnd. */
  language?: DeviceLanguage;
}

const metresPerDegree = 111_320;
/** m/s while cleaning. */
const cleaningSpeed = 0.8;
/** m2 per second. */
const width = 0.75;
/** Distance from the dock, in metres, at which a machine turns back. */
const reach = 60;
/** Longest gap between reports, in seconds, that still counts as work. */
const maxGap = 600;

/**
 * Battery change in percent per second: about three hours of cleaning, two of charging; faster for lively machines, so
 * that something happens.
 */
const drain: Partial<Record<StateName, number>> = { Cleaning: -0.008, Charging: 0.012, Parked: -0.0001 };
const timeFactor = 6;

/**
 * Advances the machine by some seconds, counts its work and returns its report. `random` returns numbers from 0 to 1.
 */
export function advanceMachine(
  machine: SimulatedMachine,
  counters: Counters,
  { at, seconds, random }: { at: Date; seconds: number; random: () => number },
): DeviceReport {
  step(machine, seconds, random);
  const worked = machine.state === 'Cleaning' ? Math.min(Math.max(seconds, 0), maxGap) : 0;
  const area = Math.round(worked * width);
  counters.areaTotal += area;
  counters.odometer += Math.round(worked * cleaningSpeed);
  const { state, latitude, longitude } = machine;
  const values = {
    battery: Math.round(machine.battery),
    heading: Math.round(machine.heading) % 360,
    speed: state === 'Cleaning' ? cleaningSpeed : 0,
  };
  return {
    at,
    state,
    latitude: roundDegrees(latitude),
    longitude: roundDegrees(longitude),
    ...values,
    area,
    ...counters,
  };
}

const roundDegrees = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

function step(machine: SimulatedMachine, seconds: number, random: () => number): void {
  machine.battery = Math.min(
    100,
    Math.max(5, machine.battery + (drain[machine.state] ?? 0) * seconds * (machine.lively ? timeFactor : 1)),
  );
  machine.state = nextState(machine, seconds, random);
  if (machine.state === 'Cleaning') move(machine, Math.min(seconds, 60), random);
  else Object.assign(machine, machine.dock);
}

function nextState({ state, battery, lively }: SimulatedMachine, seconds: number, random: () => number): StateName {
  if (state === 'Cleaning') return battery < 20 ? 'Charging' : state;
  if (state === 'Charging') return battery > 96 ? 'Parked' : state;
  // Parked machines restart at random: lively ones within minutes, others within hours.
  return battery > 40 && random() < seconds / (lively ? 400 : 40_000) ? 'Cleaning' : 'Parked';
}

function move(machine: SimulatedMachine, seconds: number, random: () => number): void {
  const north = (machine.latitude - machine.dock.latitude) * metresPerDegree;
  const east =
    (machine.longitude - machine.dock.longitude) * metresPerDegree * Math.cos((machine.latitude * Math.PI) / 180);
  const home = (Math.atan2(-east, -north) * 180) / Math.PI;
  machine.heading = Math.hypot(north, east) > reach ? home : machine.heading + (random() - 0.5) * 70;
  machine.heading = (machine.heading + 360) % 360;
  const way = (cleaningSpeed * seconds) / metresPerDegree;
  machine.latitude += way * Math.cos((machine.heading * Math.PI) / 180);
  machine.longitude +=
    (way * Math.sin((machine.heading * Math.PI) / 180)) / Math.cos((machine.latitude * Math.PI) / 180);
}
