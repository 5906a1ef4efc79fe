/** A fleet that speaks to a server over the network, as separate devices would. */
import type { Fault } from './faults';
import { allot, type DeviceLanguage } from './languages';
import type { Simulated } from './machine';
import { openPost } from './post';
import { beginRound, type Parcel, type Round } from './round';

export interface SimulationOptions {
  fleet: readonly Simulated[];
  url: string;
  /** Without a broker the machines speak over HTTP alone. */
  mqttUrl?: string | undefined;
  seed: number;
  faults?: readonly Fault[];
  /** When the simulated time begins, in milliseconds since 1970. */
  begin: number;
  /** Whether simulated time is that of the clock on the wall. */
  isPresent: boolean;
  /** Machines that send at once. */
  parallel: number;
}

export interface SimulationCounts {
  machines: number;
  sent: number;
  accepted: number;
  refused: number;
  unanswered: number;
  /** Sent once more, on purpose or for want of an answer. */
  repeated: number;
  /** Unreadable ones among those sent. */
  spoilt: number;
}

export interface Simulation {
  /** Sends what is due up to a simulated moment. */
  sendDue(until: number): Promise<void>;
  /** Sends what is still on its way. */
  sendRest(): Promise<void>;
  /** Lets what is being sent arrive and takes leave. */
  close(): Promise<void>;
  counts: ReadonlyMap<DeviceLanguage, SimulationCounts>;
  /** What faults have kept from being told at its time, by device. */
  untold(): ReadonlyMap<string, readonly Date[]>;
}

/**
 * Milliseconds of simulated time after which a message that nobody answered is sent again, and how often that is tried
 * at the end.
 */
const afterFailure = 60_000;
const tries = 3;

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
  const post = openPost({ url, mqttUrl, isPresent });
  const machines = allot(fleet, mqttUrl !== undefined);
  const rounds = machines.map((machine, index) => beginRound(machine, { seed: seed * 100_003 + index, begin, faults }));
  const counts = new Map<DeviceLanguage, SimulationCounts>();
  for (const { language } of machines) countsOf(language).machines += 1;
  let isClosed = false;

  function countsOf(language: DeviceLanguage): SimulationCounts {
    const found = counts.get(language) ?? {
      machines: 0,
      sent: 0,
      accepted: 0,
      refused: 0,
      unanswered: 0,
      repeated: 0,
      spoilt: 0,
    };
    counts.set(language, found);
    return found;
  }

  /** A device sends one message after another. */
  async function send(round: Round, parcels: readonly Parcel[]): Promise<void> {
    const count = countsOf(round.machine.language as DeviceLanguage);
    for (const parcel of parcels) {
      if (isClosed) return;
      const outcome = await post.send(round.machine, parcel.letter);
      count.sent += 1;
      count[outcome] += 1;
      if (parcel.kind === 'repeated') count.repeated += 1;
      if (parcel.kind === 'spoilt') count.spoilt += 1;
      else if (outcome === 'unanswered')
        round.again({ ...parcel, sendAt: parcel.sendAt + afterFailure, kind: 'repeated' });
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
    untold: () => new Map(rounds.map(({ machine, untold }) => [machine.device, untold])),
    sendDue: (until) => sendAll((round) => round.due(until)),
    async sendRest() {
      for (let turn = 0; turn < tries; turn += 1) await sendAll((round) => round.rest());
    },
    async close() {
      isClosed = true;
      await post.close();
    },
  };
}
