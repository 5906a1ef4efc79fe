/** Simulates a fleet whose devices each send to a server over the network. */

import type { SimulatedMachine } from './advanceMachine';
import type { Fault } from './faults';
import { createMessageSchedule, type MessageSchedule, type QueuedMessage } from './messageSchedule';
import { openMessageSender } from './openMessageSender';
import { assignProtocols, type DeviceProtocol } from './protocols';

export interface SimulationOptions {
  fleet: readonly SimulatedMachine[];
  url: string;
  /** Without a broker, machines use HTTP only. */
  mqttUrl?: string | undefined;
  seed: number;
  faults?: readonly Fault[];
  /** Start of simulated time, in milliseconds since 1970. */
  begin: number;
  /** Whether simulated time is real time. */
  isRealTime: boolean;
  /** Number of machines that send concurrently. */
  concurrency: number;
}

export interface SimulationCounts {
  machines: number;
  sent: number;
  accepted: number;
  refused: number;
  unanswered: number;
  /** Messages sent again, either on purpose or because there was no response. */
  repeated: number;
  /** Number of unreadable messages among those sent. */
  corrupted: number;
}

export interface Simulation {
  /** Sends the messages that are due up to a simulated moment. */
  sendDue(until: number): Promise<void>;
  /** Sends all messages that were not sent yet. */
  sendRemaining(): Promise<void>;
  /** Sends nothing more. Disconnects after the MQTT messages in flight; does not wait for HTTP requests. */
  close(): Promise<void>;
  counts: ReadonlyMap<DeviceProtocol, SimulationCounts>;
  /** Times of reports that faults lost or sent with a wrong time, by device. */
  undelivered(): ReadonlyMap<string, readonly Date[]>;
}

/** Simulated milliseconds until a message without a response is sent again. */
const retryDelay = 60_000;
/** Attempts to send the messages that remain at the end. */
const maxAttempts = 3;

/** Opens a simulation; its caller decides when messages are sent. */
export function openSimulation({
  fleet,
  url,
  mqttUrl,
  seed,
  faults = [],
  begin,
  isRealTime,
  concurrency,
}: SimulationOptions): Simulation {
  const sender = openMessageSender({ url, mqttUrl, isRealTime });
  const machines = assignProtocols(fleet, mqttUrl !== undefined);
  const schedules = machines.map((machine, index) =>
    createMessageSchedule(machine, { seed: seed * 100_003 + index, begin, faults }),
  );
  const counts = new Map<DeviceProtocol, SimulationCounts>();
  for (const { protocol } of machines) countsOf(protocol).machines += 1;
  let isClosed = false;

  function countsOf(protocol: DeviceProtocol): SimulationCounts {
    const simulationCounts = counts.get(protocol) ?? {
      machines: 0,
      sent: 0,
      accepted: 0,
      refused: 0,
      unanswered: 0,
      repeated: 0,
      corrupted: 0,
    };
    counts.set(protocol, simulationCounts);
    return simulationCounts;
  }

  /** Sends messages one after another, as a device does. */
  async function send(schedule: MessageSchedule, messages: readonly QueuedMessage[]): Promise<void> {
    const count = countsOf(schedule.machine.protocol as DeviceProtocol);
    for (const message of messages) {
      if (isClosed) return;
      const outcome = await sender.send(schedule.machine, message.message);
      count.sent += 1;
      count[outcome] += 1;
      if (message.kind === 'repeated') count.repeated += 1;
      if (message.kind === 'corrupted') count.corrupted += 1;
      else if (outcome === 'unanswered')
        schedule.requeue({ ...message, sendAt: message.sendAt + retryDelay, kind: 'repeated' });
    }
  }

  async function sendAll(messagesOf: (schedule: MessageSchedule) => readonly QueuedMessage[]): Promise<void> {
    const queue = schedules
      .map((schedule) => ({ schedule, messages: messagesOf(schedule) }))
      .filter(({ messages }) => messages.length > 0);
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await send(next.schedule, next.messages);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  return {
    counts,
    undelivered: () => new Map(schedules.map(({ machine, undelivered }) => [machine.device, undelivered])),
    sendDue: (until) => sendAll((schedule) => schedule.due(until)),
    async sendRemaining() {
      for (let turn = 0; turn < maxAttempts; turn += 1) await sendAll((schedule) => schedule.remaining());
    },
    async close() {
      isClosed = true;
      await sender.close();
    },
  };
}
