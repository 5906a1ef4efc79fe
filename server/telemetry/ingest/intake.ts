/** Batches concurrent messages: while one transaction commits, the next messages gather. */
import type { Services } from '../../context/services';
import { ingest } from './ingest';
import type { Incoming } from './storeMessages';

/** Maximum messages per transaction, unless a single sender has more. */
const maxMessages = 200;

type IntakeServices = Pick<Services, 'db' | 'env' | 'live' | 'now' | 'log'>;

interface PendingBatch {
  incoming: readonly Incoming[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Takes the messages of one sender. Resolves when all are committed, rejects when none is. */
export type Intake = (incoming: readonly Incoming[]) => Promise<void>;

/** Concurrent transactions, for disjoint machines: a server has several cores, an embedded database one connection. */
const concurrentTransactions = { postgres: 2, pglite: 1 };

export function openIntake(services: IntakeServices): Intake {
  const lanes = Array.from({ length: concurrentTransactions[services.db.kind] }, () => openLane(services));
  return (incoming) => (lanes[(incoming[0]?.machineId ?? 0) % lanes.length] as Intake)(incoming);
}

function openLane(services: IntakeServices): Intake {
  const queue: PendingBatch[] = [];
  let working = false;

  async function runBatches(): Promise<void> {
    working = true;
    while (queue.length > 0) await settle(queue.splice(0, batchLength()));
    working = false;
  }

  /** Number of waiting entries for the next transaction. */
  function batchLength(): number {
    let messages = 0;
    const index = queue.findIndex(({ incoming }) => {
      messages += incoming.length;
      return messages > maxMessages;
    });
    return index === -1 ? queue.length : Math.max(1, index);
  }

  async function settle(batch: readonly PendingBatch[]): Promise<void> {
    try {
      await ingest(
        services,
        batch.flatMap(({ incoming }) => incoming),
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // Retries one by one: a message that cannot be stored must not fail the others.
      if (batch.length > 1) for (const request of batch) await settle([request]);
      else batch[0]?.reject(error);
    }
  }

  return (incoming) =>
    new Promise((resolve, reject) => {
      queue.push({ incoming, resolve, reject });
      if (!working) void runBatches();
    });
}
