/**
 * Gathers messages that come at the same time into one transaction: while one commits, the next ones wait and go
 * together.
 */
import type { Services } from '../../context/services';
import { ingest } from './ingest';
import type { Incoming } from './store';

/** Messages of one transaction at most, unless one sender has more. */
const most = 200;

type IntakeServices = Pick<Services, 'db' | 'env' | 'live' | 'now' | 'log'>;

interface PendingBatch {
  incoming: readonly Incoming[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Takes the messages of one sender; resolves when all are stored for good, rejects when none is. */
export type Intake = (incoming: readonly Incoming[]) => Promise<void>;

/**
 * Transactions at the same time, of different machines: a server has more than one core, an embedded database one
 * connection.
 */
const lanes = { postgres: 2, pglite: 1 };

export function openIntake(services: IntakeServices): Intake {
  const open = Array.from({ length: lanes[services.db.kind] }, () => openLane(services));
  return (incoming) => (open[(incoming[0]?.machineId ?? 0) % open.length] as Intake)(incoming);
}

function openLane(services: IntakeServices): Intake {
  const queue: PendingBatch[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    while (queue.length > 0) await settle(queue.splice(0, together()));
    working = false;
  }

  /** How many of those waiting make up one transaction. */
  function together(): number {
    let messages = 0;
    const index = queue.findIndex(({ incoming }) => {
      messages += incoming.length;
      return messages > most;
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
      // One message that cannot be stored must not take the others with it.
      if (batch.length > 1) for (const one of batch) await settle([one]);
      else batch[0]?.reject(error);
    }
  }

  return (incoming) =>
    new Promise((resolve, reject) => {
      queue.push({ incoming, resolve, reject });
      if (!working) void work();
    });
}
