/** Parses the options of `npm run simulate`. Throws an error that says what is wrong. */
import { type Fault, faultNames } from './faults';

export interface SimulatorFlags {
  url: string;
  'mqtt-url'?: string | undefined;
  machines: string;
  for?: string | undefined;
  speed: string;
  until?: string | undefined;
  seed: string;
  faults?: string | undefined;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

export function readOptions(asked: SimulatorFlags) {
  return {
    url: asked.url.replace(/\/+$/, ''),
    mqttUrl: asked['mqtt-url'],
    machines: numberOf('machines', asked.machines),
    seconds: asked.for === undefined ? undefined : secondsOf(asked.for),
    speed: numberOf('speed', asked.speed),
    until: asked.until === undefined ? undefined : momentOf(asked.until),
    seed: numberOf('seed', asked.seed),
    faults: (asked.faults ?? '').split(',').filter(Boolean).map(faultOf),
  };
}

function numberOf(name: string, given: string): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1 on.`);
  return value;
}

function secondsOf(given: string): number {
  const [, count, unit = 's'] = /^(\d+)(s|m|h)?$/.exec(given) ?? [];
  if (!count) throw new Error('--for must be a time such as 60s, 5m or 2h.');
  return Number(count) * (units[unit] as number);
}

function momentOf(given: string): Date {
  const at = new Date(given);
  if (Number.isNaN(at.getTime())) throw new Error('--until must be a time, such as 2026-11-01T12:00:00Z.');
  return at;
}

function faultOf(given: string): Fault {
  const fault = faultNames.find((name) => name === given.trim());
  if (!fault) throw new Error(`--faults are ${faultNames.join(', ')}; ${given} is none of them.`);
  return fault;
}
