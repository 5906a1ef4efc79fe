/** One machine on its round: what it sends up to a moment, the same for the same seed. */
import { type Random, randomOf } from '../seed/random';
import { type Fault, spoilt, suffering } from './faults';
import { deviceLanguages } from './languages';
import type { SimulatedMessage } from './letter';
import { report, type Simulated } from './machine';
import type { Counters, DeviceReport } from './report';

/**
 * Seconds between two reports of a machine. The slow ones stay well within the ten minutes of silence that are borne.
 */
const pauses = { lively: 12, slow: 420 };
/** Whoever was silent while the server slept is heard of within two minutes, not all at once. */
const firstWithin = 120;

export interface Parcel {
  letter: SimulatedMessage;
  /** Milliseconds since 1970, by the clock of the simulation. */
  sendAt: number;
  kind: 'first' | 'repeated' | 'spoilt';
}

export interface Round {
  machine: Simulated;
  /** What is to be sent up to a moment, in order. */
  due(until: number): Parcel[];
  /** What is still on its way. */
  rest(): Parcel[];
  /** Takes a parcel back that nobody answered. */
  again(parcel: Parcel): void;
  /** The times of those reports that no fault may have told at their time. */
  untold: Date[];
}

interface RoundOptions {
  seed: number;
  /** Milliseconds since 1970. */
  begin: number;
  faults: readonly Fault[];
}

export function beginRound(machine: Simulated, { seed, begin, faults }: RoundOptions): Round {
  // Faults draw numbers of their own: with and without them a machine lives the same life.
  const [life, luck]: [Random, Random] = [randomOf(seed), randomOf(~seed)];
  const suffer = suffering(faults, luck);
  const { speech, gathered } = deviceLanguages[machine.language ?? 'osmand query'];
  const speaker = { device: machine.device, secret: machine.secret ?? '' };
  const counters: Counters = { areaTotal: 0, odometer: 0 };
  const pause = machine.lively ? pauses.lively : pauses.slow;
  const untold: Date[] = [];
  let last = begin;
  let next = Math.round(begin + life.next() * Math.min(pause, firstWithin) * 1000);
  let reports: DeviceReport[] = [];
  let waiting: Parcel[] = [];

  function live(): void {
    const at = next;
    reports.push(report(machine, counters, { at: new Date(at), seconds: (at - last) / 1000, random: life.next }));
    last = at;
    next = Math.round(at + pause * 1000 * (0.8 + life.next() * 0.4));
    if (reports.length >= gathered) tell(at);
  }

  function tell(at: number): void {
    const { reports: told, sent, fault } = suffer(reports, pause * gathered);
    if (fault === 'lost' || fault === 'clock') untold.push(...reports.map((one) => one.at));
    reports = [];
    const letter = speech(speaker, told);
    sent.forEach((seconds, index) => {
      waiting.push({ letter, sendAt: at + seconds * 1000, kind: index === 0 ? 'first' : 'repeated' });
    });
    if (fault === 'garbage') waiting.push({ letter: spoilt(letter, luck), sendAt: at, kind: 'spoilt' });
  }

  const inOrder = (parcels: Parcel[]) => parcels.sort((a, b) => a.sendAt - b.sendAt);
  const taken = (isDue: (parcel: Parcel) => boolean) => {
    const due = waiting.filter(isDue);
    waiting = waiting.filter((parcel) => !isDue(parcel));
    return inOrder(due);
  };
  return {
    machine,
    untold,
    due(until) {
      while (next <= until) live();
      return taken(({ sendAt }) => sendAt <= until);
    },
    rest: () => {
      if (reports.length > 0) tell(last);
      return taken(() => true);
    },
    again: (parcel) => {
      waiting.push(parcel);
    },
  };
}
