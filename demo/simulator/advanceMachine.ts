/** Advances one simulated machine to its next state and report. */
import type { StateName } from '../../schema/entities/machines';
import type { Counters, DeviceReport } from './deviceReport';
import { type FloorWalk, floorReportOf, followOrder, isBlocked, offsetFromCentre, runReportOf } from './floorWalk';
import type { DeviceProtocol } from './protocols';

export interface SimulatedMachine {
  device: string;
  state: StateName;
  /** In percent. */
  battery: number;
  latitude: number;
  longitude: number;
  /** Position of the charging dock. */
  dock: { latitude: number; longitude: number };
  /** Degrees from north. */
  heading: number;
  /** Whether it reports every few seconds, for pages that people are watching. */
  reportsOften: boolean;
  /** Secret of the machine's tracker, which most protocols require. */
  secret?: string;
  /** Defaults to OsmAnd. */
  protocol?: DeviceProtocol;
  /** Walk of a robot on a floor, which drives lanes instead of random directions. */
  walk?: FloorWalk;
}

const metresPerDegree = 111_320;
/** Speed while cleaning, in m/s. */
const cleaningSpeed = 0.8;
/** Working width in metres. */
const workingWidth = 0.75;
/** Distance from the dock, in metres, at which a machine turns back. */
const maxDockDistance = 60;
/** Longest gap between two reports, in seconds, that still counts as work. */
const maxGap = 600;

/**
 * Battery change in percent per second: about three hours of cleaning and two hours of charging. Machines that report
 * often are faster, so that something happens.
 */
const batteryRates: Partial<Record<StateName, number>> = { Cleaning: -0.008, Charging: 0.012, Parked: -0.0001 };
const timeFactor = 6;
/** Factor for robots on floors, which clean several zones before they charge. */
const walkFactor = 3;

/**
 * Advances the machine by some seconds, adds to its counters and returns its report. `random` must return numbers from
 * 0 to 1.
 */
export function advanceMachine(
  machine: SimulatedMachine,
  counters: Counters,
  { at, seconds, random }: { at: Date; seconds: number; random: () => number },
): DeviceReport {
  const stateBefore = machine.state;
  advanceState(machine, seconds, random);
  const run = machine.walk && trackRun(machine, machine.walk, { stateBefore, at });
  const workedSeconds = machine.state === 'Cleaning' ? Math.min(Math.max(seconds, 0), maxGap) : 0;
  const area = Math.round(workedSeconds * workingWidth);
  counters.areaTotal += area;
  counters.odometer += Math.round(workedSeconds * cleaningSpeed);
  const { state, latitude, longitude } = machine;
  const values = {
    battery: Math.round(machine.battery),
    heading: Math.round(machine.heading) % 360,
    speed: state === 'Cleaning' && !(machine.walk && isBlocked(machine.walk)) ? cleaningSpeed : 0,
  };
  return {
    at,
    state,
    latitude: roundDegrees(latitude),
    longitude: roundDegrees(longitude),
    ...values,
    area,
    ...counters,
    ...(machine.walk && { floor: floorReportOf(machine.walk), run, order: machine.walk.order }),
  };
}

/** Updates the order. Starts a run when cleaning begins, and returns its report when cleaning ends. */
function trackRun(
  { state, battery }: SimulatedMachine,
  walk: FloorWalk,
  { stateBefore, at }: { stateBefore: StateName; at: Date },
): Record<string, unknown> | undefined {
  followOrder(walk, { at, isCleaning: state === 'Cleaning' });
  if (state === 'Cleaning') {
    if (stateBefore !== 'Cleaning') walk.run = { startedAt: at, battery: Math.round(battery) };
    return undefined;
  }
  const report = walk.reportsRuns ? runReportOf(walk, { at, battery: Math.round(battery) }) : undefined;
  walk.run = undefined;
  walk.metres = 0;
  return report;
}

const roundDegrees = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

function advanceState(machine: SimulatedMachine, seconds: number, random: () => number): void {
  machine.battery = Math.min(
    100,
    Math.max(
      5,
      machine.battery +
        (batteryRates[machine.state] ?? 0) *
          seconds *
          (machine.walk ? walkFactor : machine.reportsOften ? timeFactor : 1),
    ),
  );
  machine.state = nextState(machine, seconds, random);
  if (machine.walk) moveOnFloor(machine, machine.walk, Math.min(seconds, 60));
  else if (machine.state === 'Cleaning') move(machine, Math.min(seconds, 60), random);
  else Object.assign(machine, machine.dock);
}

/** Moves a robot on its floor, whose centre is at the position of the location. */
function moveOnFloor(machine: SimulatedMachine, walk: FloorWalk, seconds: number): void {
  if (machine.state === 'Cleaning') {
    walk.seconds += seconds;
    if (!isBlocked(walk)) walk.metres += cleaningSpeed * seconds;
  }
  const { east, north, heading } = offsetFromCentre(walk);
  machine.heading = heading;
  machine.latitude = machine.dock.latitude + north / metresPerDegree;
  machine.longitude =
    machine.dock.longitude + east / metresPerDegree / Math.cos((machine.dock.latitude * Math.PI) / 180);
}

function nextState(
  { state, battery, reportsOften, walk }: SimulatedMachine,
  seconds: number,
  random: () => number,
): StateName {
  if (state === 'Cleaning') return battery < 20 ? 'Charging' : state;
  if (state === 'Charging') return battery > 96 ? 'Parked' : state;
  // Parked machines restart at random: those on floors soon, frequent reporters within minutes, others within hours.
  return battery > 40 && random() < seconds / (walk ? 60 : reportsOften ? 400 : 40_000) ? 'Cleaning' : 'Parked';
}

function move(machine: SimulatedMachine, seconds: number, random: () => number): void {
  const north = (machine.latitude - machine.dock.latitude) * metresPerDegree;
  const east =
    (machine.longitude - machine.dock.longitude) * metresPerDegree * Math.cos((machine.latitude * Math.PI) / 180);
  const home = (Math.atan2(-east, -north) * 180) / Math.PI;
  machine.heading = Math.hypot(north, east) > maxDockDistance ? home : machine.heading + (random() - 0.5) * 70;
  machine.heading = (machine.heading + 360) % 360;
  const distance = (cleaningSpeed * seconds) / metresPerDegree;
  machine.latitude += distance * Math.cos((machine.heading * Math.PI) / 180);
  machine.longitude +=
    (distance * Math.sin((machine.heading * Math.PI) / 180)) / Math.cos((machine.latitude * Math.PI) / 180);
}
