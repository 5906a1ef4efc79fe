/** A fleet that sends to a server over the network, as separate devices would. */

import type { SimulatedMachine } from './advanceMachine';
import type { Fault } from './faults';
import { openMessageSender } from './openMessageSender';
import { assignProtocols, type DeviceProtocol } from './protocols';
import { type Parcel, type Round, startRound } from './round';

export interface SimulationOptions {
  fleet: readonly SimulatedMachine[];
  url: string;
  /** Without a broker the machines use HTTP alone. */
  mqttUrl?: string | undefined;
  seed: number;
  faults?: readonly Fault[];
  /** Start of simulated time, in milliseconds since 1970. */
  begin: number;
  /** Whether simulated time is wall-clock time. */
  isPresent: boolean;
  /** Number of machines that send concurrently. */
  parallel: number;
}

export interface SimulationCounts {
  machines: number;
  sent: number;
  accepted: number;
  refused: number;
  unanswered: number;
  /** Sent again, on purpose or for lack of an answer. */
  repeated: number;
  /** Unreadable messages among those sent. */
  corrupted: number;
}

export interface Simulation {
  /** Sends the messages due up to a simulated moment. */
  sendDue(until: number): Promise<void>;
  /** Sends the messages still on their way. */
  sendRest(): Promise<void>;
  /** Awaits messages in flight and disconnects. */
  close(): Promise<void>;
  counts: ReadonlyMap<DeviceProtocol, SimulationCounts>;
  /** Times of reports that faults kept from arriving on time, by device. */
  undelivered(): ReadonlyMap<string, readonly Date[]>;
}

/** Delay before an unanswered message is sent again, in simulated milliseconds, and the number of tries at the end. */
const afterFailure = 60_000;
const maxAttempts = 3;

export function openSimulation({
  fleet,
  url,
  mqttUrl,
  seed,
  faults = [],
  begin,
  isPresent,
  parallel,
}: SimulationOptions): Simulation {
  const post = openMessageSender({ url, mqttUrl, isPresent });
  const machines = assignProtocols(fleet, mqttUrl !== undefined);
  const rounds = machines.map((machine, index) => startRound(machine, { seed: seed * 100_003 + index, begin, faults }));
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

  /** A device sends its messages one after another. */
  async function send(round: Round, parcels: readonly Parcel[]): Promise<void> {
    const count = countsOf(round.machine.protocol as DeviceProtocol);
    for (const parcel of parcels) {
      if (isClosed) return;
      const outcome = await post.send(round.machine, parcel.message);
      count.sent += 1;
      count[outcome] += 1;
      if (parcel.kind === 'repeated') count.repeated += 1;
      if (parcel.kind === 'corrupted') count.corrupted += 1;
      else if (outcome === 'unanswered')
        round.requeue({ ...parcel, sendAt: parcel.sendAt + afterFailure, kind: 'repeated' });
    }
  }

  async function sendAll(parcelsOf: (round: Round) => readonly Parcel[]): Promise<void> {
    const waiting = rounds
      .map((round) => ({ round, parcels: parcelsOf(round) }))
      .filter(({ parcels }) => parcels.length > 0);
    const line = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) await send(one.round, one.parcels);
    };
    await Promise.all(Array.from({ length: parallel }, line));
  }

  return {
    counts,
    undelivered: () => new Map(rounds.map(({ machine, undelivered }) => [machine.device, undelivered])),
    sendDue: (until) => sendAll((round) => round.due(until)),
    async sendRest() {
      for (let turn = 0; turn < maxAttempts; turn += 1) await sendAll((round) => round.remaining());
    },
    async close() {
      isClosed = true;
      await post.close();
    },
  };
}
