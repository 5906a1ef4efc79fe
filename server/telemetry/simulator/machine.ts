/** One machine of the simulator: what it does next, and the OsmAnd message that says so. */
import type { StateName } from '../../../schema/entities/machines';

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
  /** Of its tracker: it speaks over MQTT. */
  secret?: string;
}

const metresPerDegree = 111_320;
/** m/s while cleaning. */
const pace = 0.8;
/** Metres from the dock at which a machine turns back. */
const reach = 60;

/** Percent per second: cleaning lasts about three hours, charging two; quicker for lively machines, so that something can be seen. */
const drain: Partial<Record<StateName, number>> = { Cleaning: -0.008, Charging: 0.012, Parked: -0.0001 };
const hurry = 6;

/** Lives on for some seconds. `random` gives numbers from 0 to 1. */
export function step(machine: Simulated, seconds: number, random: () => number): void {
  machine.battery = Math.min(100, Math.max(5, machine.battery + (drain[machine.state] ?? 0) * seconds * (machine.lively ? hurry : 1)));
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
  const east = (machine.longitude - machine.dock.longitude) * metresPerDegree * Math.cos((machine.latitude * Math.PI) / 180);
  const home = (Math.atan2(-east, -north) * 180) / Math.PI;
  machine.heading = Math.hypot(north, east) > reach ? home : machine.heading + (random() - 0.5) * 70;
  machine.heading = (machine.heading + 360) % 360;
  const way = (pace * seconds) / metresPerDegree;
  machine.latitude += way * Math.cos((machine.heading * Math.PI) / 180);
  machine.longitude += (way * Math.sin((machine.heading * Math.PI) / 180)) / Math.cos((machine.latitude * Math.PI) / 180);
}

const words: Partial<Record<StateName, string>> = { Cleaning: 'cleaning', Charging: 'charging', Parked: 'parked' };
const knots = 3600 / 1852;

/** The message as a query, the way a simple tracker sends it. */
export function queryOf(machine: Simulated, at: Date): string {
  return new URLSearchParams({
    id: machine.device,
    timestamp: String(at.getTime()),
    lat: machine.latitude.toFixed(6),
    lon: machine.longitude.toFixed(6),
    speed: (machine.state === 'Cleaning' ? pace * knots : 0).toFixed(2),
    bearing: machine.heading.toFixed(0),
    batt: machine.battery.toFixed(0),
    status: words[machine.state] ?? 'online',
    ...(machine.state === 'Cleaning' ? { mode: 'robotic', area: machine.lively ? '10' : '300' } : {}),
    ...(machine.state === 'Charging' ? { charge: 'true' } : {}),
  }).toString();
}

/** The same as the Traccar Client app sends it. */
export function jsonOf(machine: Simulated, at: Date): unknown {
  const cleaning = machine.state === 'Cleaning';
  return {
    device_id: machine.device,
    location: {
      timestamp: at.toISOString(),
      coords: { latitude: machine.latitude, longitude: machine.longitude, speed: cleaning ? pace : 0, heading: machine.heading, accuracy: 4, altitude: 30 },
      is_moving: cleaning,
      event: 'motionchange',
      battery: { level: Math.round(machine.battery) / 100, is_charging: machine.state === 'Charging' },
      activity: { type: cleaning ? 'walking' : 'still' },
      extras: { status: words[machine.state] ?? 'online', ...(cleaning ? { mode: 'robotic', area: machine.lively ? 10 : 300 } : {}) },
    },
  };
}
