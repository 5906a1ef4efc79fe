/** Gathers messages that come at the same time into one transaction: while one commits, the next ones wait and go together. */
import type { Services } from '../services';
import { ingest } from './ingest';
import type { Incoming } from './store';

/** Messages of one transaction at most, unless one sender has more. */
const most = 200;

interface Waiting {
  incoming: readonly Incoming[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Takes the messages of one sender; resolves when all are stored for good, rejects when none is. */
export type Intake = (incoming: readonly Incoming[]) => Promise<void>;

export function openIntake(services: Pick<Services, 'db' | 'live' | 'now'>): Intake {
  const queue: Waiting[] = [];
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

  async function settle(batch: readonly Waiting[]): Promise<void> {
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
