/** Parses the options of `npm run simulate`. Throws an error that explains what is wrong. */
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

export function readOptions(flags: SimulatorFlags) {
  return {
    url: flags.url.replace(/\/+$/, ''),
    mqttUrl: flags['mqtt-url'],
    machines: numberOf('machines', flags.machines),
    seconds: flags.for === undefined ? undefined : secondsOf(flags.for),
    speed: numberOf('speed', flags.speed),
    until: flags.until === undefined ? undefined : parseOptionInstant(flags.until),
    seed: numberOf('seed', flags.seed),
    faults: (flags.faults ?? '').split(',').filter(Boolean).map(faultOf),
  };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number of at least 1.`);
  return value;
}

function secondsOf(text: string): number {
  const [, count, unit = 's'] = /^(\d+)(s|m|h)?$/.exec(text) ?? [];
  if (!count) throw new Error('--for must be a time such as 60s, 5m or 2h.');
  return Number(count) * (units[unit] as number);
}

function parseOptionInstant(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Error('--until must be a time, such as 2026-11-01T12:00:00Z.');
  return time;
}

function faultOf(text: string): Fault {
  const fault = faultNames.find((name) => name === text.trim());
  if (!fault) throw new Error(`--faults must be some of ${faultNames.join(', ')}, not ${text}.`);
  return fault;
}
