/** Batches the messages of all devices and protocols: while one transaction commits, the next messages gather. */
import type { Services } from '../../context/services';
import type { Database } from '../../db/core/database';
import { ingest } from './ingest';
import type { Incoming } from './storeMessages';

type IntakeServices = Pick<Services, 'db' | 'env' | 'live' | 'now' | 'log'>;

interface PendingBatch {
  incoming: readonly Incoming[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Stores the messages of one machine. Resolves when all of them are committed; rejects if none is. */
export type Intake = (incoming: readonly Incoming[]) => Promise<void>;

/**
 * Concurrent transactions, and messages per transaction unless a single call has more. A PostgreSQL server has several
 * cores; an embedded database has one connection, which every other statement has to wait for.
 */
const limits = { postgres: { transactions: 2, messages: 500 }, pglite: { transactions: 1, messages: 200 } };
/** Number of waiting messages that justifies another concurrent transaction; fewer messages join the next batch. */
const minWaitingForAnother = 100;
/**
 * Milliseconds that messages wait for those of the senders just answered, which send again at about the same time.
 * Otherwise the senders would fall into two halves, each with a transaction of its own while the other is answered.
 */
const maxLinger = 3;
/** Calls that a transaction must have served for the next one to linger: at low load nobody waits. */
const minServedForLinger = 8;

const intakes = new WeakMap<Database, Intake>();

/** The intake of a database, shared by all protocols. */
export function openIntake(services: IntakeServices): Intake {
  const opened = intakes.get(services.db) ?? createIntake(services);
  intakes.set(services.db, opened);
  return opened;
}

function createIntake(services: IntakeServices): Intake {
  const { transactions, messages: maxMessages } = limits[services.db.kind];
  let queue: PendingBatch[] = [];
  let waiting = 0;
  let running = 0;
  /** Number of calls that end the linger, if it has not ended by itself. */
  let expected = 0;
  let linger: NodeJS.Timeout | undefined;
  /**
   * Machines of running transactions. Their messages have to wait, so that a machine's messages are stored in order.
   */
  const busyMachines = new Set<number>();

  function start(): void {
    if (linger && queue.length < expected && waiting < maxMessages) return;
    clearTimeout(linger);
    linger = undefined;
    while (queue.length > 0 && running < transactions && (running === 0 || waiting >= minWaitingForAnother)) {
      const group = takeGroup();
      if (group.length === 0) return;
      void run(group);
    }
  }

  /** Takes the first waiting entries whose machines no running transaction writes to. */
  function takeGroup(): PendingBatch[] {
    const group: PendingBatch[] = [];
    const remaining: PendingBatch[] = [];
    const passedOver = new Set(busyMachines);
    let size = 0;
    for (const entry of queue) {
      const machineId = machineOf(entry);
      const fits = group.length === 0 || size + entry.incoming.length <= maxMessages;
      if (fits && !passedOver.has(machineId)) {
        group.push(entry);
        size += entry.incoming.length;
      } else {
        passedOver.add(machineId);
        remaining.push(entry);
      }
    }
    queue = remaining;
    waiting -= size;
    return group;
  }

  async function run(group: readonly PendingBatch[]): Promise<void> {
    const machines = new Set(group.map(machineOf));
    running += 1;
    for (const machine of machines) busyMachines.add(machine);
    await settle(group);
    for (const machine of machines) busyMachines.delete(machine);
    running -= 1;
    if (running === 0 && group.length >= minServedForLinger) {
      expected = queue.length + group.length;
      linger = setTimeout(endLinger, maxLinger);
    }
    start();
  }

  function endLinger(): void {
    expected = 0;
    start();
  }

  async function settle(group: readonly PendingBatch[]): Promise<void> {
    try {
      await ingest(
        services,
        group.flatMap(({ incoming }) => incoming),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (group.length === 1) return group[0]?.reject(error);
      // Retries in halves, so that a message that cannot be stored does not fail the others.
      const middle = Math.ceil(group.length / 2);
      await settle(group.slice(0, middle));
      await settle(group.slice(middle));
    }
  }

  return (incoming) =>
    new Promise((resolve, reject) => {
      queue.push({ incoming, resolve, reject });
      waiting += incoming.length;
      start();
    });
}

const machineOf = ({ incoming }: PendingBatch): number => incoming[0]?.machineId ?? 0;
