/** Faults between a machine and the server, without I/O. They are drawn at random. */
import type { Random } from '../seed/random';
import type { Counters, DeviceReport } from './deviceReport';
import type { SimulatedMessage } from './simulatedMessage';

/** Faults of networks and devices, with their allowed effect on the server's data. */
export const faults = {
  /** The message arrives twice. */
  duplicate: 'nothing',
  /** The message arrives up to an hour late. */
  delay: 'nothing',
  /** The message arrives after its successor. */
  reorder: 'nothing',
  /** The message never arrives. */
  lost: 'its own observations are missing',
  /** The clock was never set, or is years ahead. */
  clock: 'its own observations count when they are received',
  /** The counters of the device restart at zero. */
  reset: 'nothing',
  /** Meaningless bytes arrive in addition to the message. */
  garbage: 'nothing',
} as const;

export type Fault = keyof typeof faults;
export const faultNames = Object.keys(faults) as Fault[];

/** Share of messages that have a fault. */
const faultShare = 0.3;

/** A message as it reaches the server. */
export interface Transmission {
  reports: readonly DeviceReport[];
  /** Delays in seconds after the message's time; one for each time that it is sent. */
  sendDelays: readonly number[];
  fault: Fault | undefined;
}

/**
 * Returns a function that applies these faults to the messages of one device. Must be called for each message, in
 * order; `pause` is the number of seconds to the next message.
 */
export function injectFaults(
  allowedFaults: readonly Fault[],
  random: Random,
): (reports: readonly DeviceReport[], pause: number) => Transmission {
  /** Counter values at the last reset: those of the last message that arrived. */
  let base: Counters = { areaTotal: 0, odometer: 0 };
  let counters = base;
  return (originalReports, pause) => {
    const fault = allowedFaults.length > 0 && random.chance(faultShare) ? random.pick(allowedFaults) : undefined;
    if (fault === 'reset' && isResetVisible(counters, base, originalReports[0] as DeviceReport)) base = counters;
    const reports = originalReports.map((report) => ({
      ...report,
      areaTotal: report.areaTotal - base.areaTotal,
      odometer: report.odometer - base.odometer,
    }));
    if (fault === 'lost') return { reports, sendDelays: [], fault };
    if (fault === 'clock') return { reports: wrongClock(reports, random), sendDelays: [0], fault };
    const { areaTotal, odometer } = originalReports.at(-1) as DeviceReport;
    counters = { areaTotal, odometer };
    return { reports, sendDelays: delaysOf(fault, pause, random), fault };
  };
}

/** Whether the server can notice a reset: the new counter values must be lower than the last ones. */
const isResetVisible = (counters: Counters, base: Counters, next: Counters): boolean =>
  next.areaTotal - counters.areaTotal < counters.areaTotal - base.areaTotal &&
  next.odometer - counters.odometer < counters.odometer - base.odometer;

function delaysOf(fault: Fault | undefined, pause: number, { between }: Random): number[] {
  if (fault === 'duplicate') return [0, between(0, 300)];
  if (fault === 'delay') return [between(60, 3600)];
  return [fault === 'reorder' ? pause * 1.5 : 0];
}

const tenYears = 10 * 365 * 86_400_000;

function wrongClock(reports: readonly DeviceReport[], { between, chance }: Random): DeviceReport[] {
  const isAhead = chance(0.5);
  const since1970 = between(0, 1_000_000) * 1000;
  return reports.map((report, index) => ({
    ...report,
    at: new Date(isAhead ? report.at.getTime() + tenYears : since1970 + index * 1000),
  }));
}

/** Returns the message truncated or overwritten, as if damaged on its way. */
export function corrupt(message: SimulatedMessage, { between, chance }: Random): SimulatedMessage {
  const damage = (text: string) =>
    chance(0.5) ? text.slice(0, -between(1, 12)) : `\u0000\u0001${'['.repeat(between(1, 200))}`;
  if (message.by === 'mqtt') return { ...message, body: damage(message.body) };
  return message.body === undefined
    ? { ...message, path: message.path.replace(/&lat=[^&]*/, '&lat=north') }
    : { ...message, body: damage(message.body) };
}
