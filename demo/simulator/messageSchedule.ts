/** Messages of one simulated machine over time, determined by the seed. */
import { createRandom, type Random } from '../seed/random';
import { advanceMachine, type SimulatedMachine } from './advanceMachine';
import type { Counters, DeviceReport } from './deviceReport';
import { corrupt, type Fault, injectFaults } from './faults';
import { deviceProtocols } from './protocols';
import type { SimulatedMessage } from './simulatedMessage';

/** Seconds between two reports. Slow machines stay well below the ten minutes after which they would be Offline. */
const pauses = { onFloor: 3, frequent: 12, slow: 420 };
/** Seconds within which all machines report after a restart of the server, so that they do not report all at once. */
const restartSpread = 120;

export interface QueuedMessage {
  message: SimulatedMessage;
  /** Time to send the message, in milliseconds of simulated time since 1970. */
  sendAt: number;
  kind: 'first' | 'repeated' | 'corrupted';
}

export interface MessageSchedule {
  machine: SimulatedMachine;
  /** Returns the messages to send up to a moment, in order. */
  due(until: number): QueuedMessage[];
  /** Returns all messages that were not sent yet, whenever they are due. */
  remaining(): QueuedMessage[];
  /** Queues a message again that got no response. */
  requeue(queued: QueuedMessage): void;
  /** Times of reports that a fault lost or sent with a wrong time. */
  undelivered: Date[];
}

interface MessageScheduleOptions {
  seed: number;
  /** Milliseconds since 1970. */
  begin: number;
  faults: readonly Fault[];
}

export function createMessageSchedule(
  machine: SimulatedMachine,
  { seed, begin, faults }: MessageScheduleOptions,
): MessageSchedule {
  // Faults use a generator of their own, so that the machine behaves the same with and without them.
  const [behaviour, faultRandom]: [Random, Random] = [createRandom(seed), createRandom(~seed)];
  const applyFaults = injectFaults(faults, faultRandom);
  const { encode, batchSize: protocolBatchSize } = deviceProtocols[machine.protocol ?? 'osmand query'];
  // Positions on a floor are shown live, so their reports are not batched.
  const batchSize = machine.walk ? 1 : protocolBatchSize;
  const credentials = { device: machine.device, secret: machine.secret ?? '' };
  const counters: Counters = { areaTotal: 0, odometer: 0 };
  const currentPause = () =>
    machine.walk && machine.state === 'Cleaning'
      ? pauses.onFloor
      : machine.reportsOften
        ? pauses.frequent
        : pauses.slow;
  const undelivered: Date[] = [];
  let lastReportAt = begin;
  let nextReportAt = Math.round(begin + behaviour.next() * Math.min(currentPause(), restartSpread) * 1000);
  let reports: DeviceReport[] = [];
  let queue: QueuedMessage[] = [];

  function advance(): void {
    const time = nextReportAt;
    reports.push(
      advanceMachine(machine, counters, {
        at: new Date(time),
        seconds: (time - lastReportAt) / 1000,
        random: behaviour.next,
      }),
    );
    lastReportAt = time;
    nextReportAt = Math.round(time + currentPause() * 1000 * (0.8 + behaviour.next() * 0.4));
    if (reports.length >= batchSize) deliver(time);
  }

  function deliver(time: number): void {
    const { reports: sentReports, sendDelays, fault } = applyFaults(reports, currentPause() * batchSize);
    if (fault === 'lost' || fault === 'clock') undelivered.push(...reports.map(({ at }) => at));
    reports = [];
    const message = encode(credentials, sentReports);
    sendDelays.forEach((seconds, index) => {
      queue.push({ message, sendAt: time + seconds * 1000, kind: index === 0 ? 'first' : 'repeated' });
    });
    if (fault === 'garbage') queue.push({ message: corrupt(message, faultRandom), sendAt: time, kind: 'corrupted' });
  }

  const sortBySendTime = (messages: QueuedMessage[]) => messages.sort((a, b) => a.sendAt - b.sendAt);
  const takeWhere = (isDue: (queued: QueuedMessage) => boolean) => {
    const dueMessages = queue.filter(isDue);
    queue = queue.filter((message) => !isDue(message));
    return sortBySendTime(dueMessages);
  };
  return {
    machine,
    undelivered,
    due(until) {
      while (nextReportAt <= until) advance();
      return takeWhere(({ sendAt }) => sendAt <= until);
    },
    remaining: () => {
      if (reports.length > 0) deliver(lastReportAt);
      return takeWhere(() => true);
    },
    requeue: (queued) => {
      queue.push(queued);
    },
  };
}
