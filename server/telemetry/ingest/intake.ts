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
 * Milliseconds to wait, after a transaction, for the next messages of its senders, which send again at about the same
 * time. Otherwise senders would split into two groups that wait for each other's transactions.
 */
const maxLinger = 3;
/** Calls that a transaction must have served for the next one to linger: at low load nobody waits. */
const minServedForLinger = 8;

const intakes = new WeakMap<Database, Intake>();

/** The intake of a database, shared by all protocols. */
export function intakeOf(services: IntakeServices): Intake {
  const intake = intakes.get(services.db) ?? createIntake(services);
  intakes.set(services.db, intake);
  return intake;
}

function createIntake(services: IntakeServices): Intake {
  const { transactions, messages: maxMessages } = limits[services.db.kind];
  let queue: PendingBatch[] = [];
  let waitingMessages = 0;
  let runningTransactions = 0;
  /** Number of waiting calls that ends the linger early. */
  let expectedCalls = 0;
  let lingerTimer: NodeJS.Timeout | undefined;
  /**
   * Machines of running transactions. Their messages have to wait, so that a machine's messages are stored in order.
   */
  const busyMachines = new Set<number>();

  function startTransactions(): void {
    if (lingerTimer && queue.length < expectedCalls && waitingMessages < maxMessages) return;
    clearTimeout(lingerTimer);
    lingerTimer = undefined;
    while (
      queue.length > 0 &&
      runningTransactions < transactions &&
      (runningTransactions === 0 || waitingMessages >= minWaitingForAnother)
    ) {
      const group = takeGroup();
      if (group.length === 0) return;
      void runGroup(group);
    }
  }

  /** Takes the first waiting entries whose machines no running transaction writes to. */
  function takeGroup(): PendingBatch[] {
    const group: PendingBatch[] = [];
    const remaining: PendingBatch[] = [];
    const blockedMachines = new Set(busyMachines);
    let size = 0;
    for (const entry of queue) {
      const machineId = machineOf(entry);
      const hasRoom = group.length === 0 || size + entry.incoming.length <= maxMessages;
      if (hasRoom && !blockedMachines.has(machineId)) {
        group.push(entry);
        size += entry.incoming.length;
      } else {
        blockedMachines.add(machineId);
        remaining.push(entry);
      }
    }
    queue = remaining;
    waitingMessages -= size;
    return group;
  }

  async function runGroup(group: readonly PendingBatch[]): Promise<void> {
    const machines = new Set(group.map(machineOf));
    runningTransactions += 1;
    for (const machine of machines) busyMachines.add(machine);
    await settle(group);
    for (const machine of machines) busyMachines.delete(machine);
    runningTransactions -= 1;
    if (runningTransactions === 0 && group.length >= minServedForLinger) {
      expectedCalls = queue.length + group.length;
      lingerTimer = setTimeout(endLinger, maxLinger);
    }
    startTransactions();
  }

  function endLinger(): void {
    expectedCalls = 0;
    startTransactions();
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
      waitingMessages += incoming.length;
      startTransactions();
    });
}

const machineOf = ({ incoming }: PendingBatch): number => incoming[0]?.machineId ?? 0;
