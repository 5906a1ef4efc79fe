/** One machine over time: the messages it sends up to a moment, the same for the same seed. */
import { createRandom, type Random } from '../seed/random';
import { advanceMachine, type SimulatedMachine } from './advanceMachine';
import type { Counters, DeviceReport } from './deviceReport';
import { type Fault, injectFaults, spoilt } from './faults';
import { deviceLanguages } from './languages';
import type { SimulatedMessage } from './simulatedMessage';

/** Seconds between two reports of a machine. The slow ones stay well below the ten minutes before Offline. */
const pauses = { onFloor: 3, lively: 12, slow: 420 };
/** After a restart of the server all machines report within this many seconds, not all at once. */
const firstWithin = 120;

export interface Parcel {
  message: SimulatedMessage;
  /** Milliseconds since 1970, in simulated time. */
  sendAt: number;
  kind: 'first' | 'repeated' | 'spoilt';
}

export interface Round {
  machine: SimulatedMachine;
  /** Messages to send up to a moment, in order. */
  due(until: number): Parcel[];
  /** Messages still on their way. */
  rest(): Parcel[];
  /** Queues an unanswered parcel again. */
  again(parcel: Parcel): void;
  /** Times of reports that a fault lost or gave a wrong time. */
  undelivered: Date[];
}

interface RoundOptions {
  seed: number;
  /** Milliseconds since 1970. */
  begin: number;
  faults: readonly Fault[];
}

export function startRound(machine: SimulatedMachine, { seed, begin, faults }: RoundOptions): Round {
  // Faults use a generator of their own: the machine behaves the same with and without them.
  const [life, luck]: [Random, Random] = [createRandom(seed), createRandom(~seed)];
  const suffer = injectFaults(faults, luck);
  const { encode, gathered: usual } = deviceLanguages[machine.language ?? 'osmand query'];
  // Somebody may watch it on the plan.
  const gathered = machine.walk ? 1 : usual;
  const speaker = { device: machine.device, secret: machine.secret ?? '' };
  const counters: Counters = { areaTotal: 0, odometer: 0 };
  const pauseNow = () =>
    machine.walk && machine.state === 'Cleaning' ? pauses.onFloor : machine.lively ? pauses.lively : pauses.slow;
  const undelivered: Date[] = [];
  let last = begin;
  let next = Math.round(begin + life.next() * Math.min(pauseNow(), firstWithin) * 1000);
  let reports: DeviceReport[] = [];
  let waiting: Parcel[] = [];

  function live(): void {
    const at = next;
    reports.push(
      advanceMachine(machine, counters, { at: new Date(at), seconds: (at - last) / 1000, random: life.next }),
    );
    last = at;
    next = Math.round(at + pauseNow() * 1000 * (0.8 + life.next() * 0.4));
    if (reports.length >= gathered) deliver(at);
  }

  function deliver(at: number): void {
    const { reports: delivered, sent, fault } = suffer(reports, pauseNow() * gathered);
    if (fault === 'lost' || fault === 'clock') undelivered.push(...reports.map((one) => one.at));
    reports = [];
    const message = encode(speaker, delivered);
    sent.forEach((seconds, index) => {
      waiting.push({ message, sendAt: at + seconds * 1000, kind: index === 0 ? 'first' : 'repeated' });
    });
    if (fault === 'garbage') waiting.push({ message: spoilt(message, luck), sendAt: at, kind: 'spoilt' });
  }

  const inOrder = (parcels: Parcel[]) => parcels.sort((a, b) => a.sendAt - b.sendAt);
  const takeWhere = (isDue: (parcel: Parcel) => boolean) => {
    const due = waiting.filter(isDue);
    waiting = waiting.filter((parcel) => !isDue(parcel));
    return inOrder(due);
  };
  return {
    machine,
    undelivered,
    due(until) {
      while (next <= until) live();
      return takeWhere(({ sendAt }) => sendAt <= until);
    },
    rest: () => {
      if (reports.length > 0) deliver(last);
      return takeWhere(() => true);
    },
    again: (parcel) => {
      waiting.push(parcel);
    },
  };
}
