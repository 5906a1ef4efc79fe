/** Gathers messages that come at the same time into one transaction: while one commits, the next ones wait and go together. */
import type { Services } from '../services';
import { ingest } from './ingest';
import type { Incoming } from './store';

/** Messages of one transaction at most. */
const most = 200;

interface Waiting {
  incoming: Incoming;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export type Intake = (incoming: Incoming) => Promise<void>;

/** Gives a function that takes one message and resolves when it is stored for good. */
export function openIntake(services: Pick<Services, 'db' | 'live' | 'now'>): Intake {
  const queue: Waiting[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    while (queue.length > 0) await settle(queue.splice(0, most));
    working = false;
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await ingest(
        services,
        batch.map(({ incoming }) => incoming),
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
