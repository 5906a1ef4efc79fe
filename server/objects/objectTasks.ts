/** Background work with the object storage, in every process. */
import type { Services } from '../context/services';
import type { PeriodicTask } from '../jobs/periodicTask';
import { countWaitingFiles, moveFiles, roundTime } from './moveFiles';
import { countWaitingDays, moveMessages } from './moveMessages';

const minute = 60_000;

/** What waits to be moved, as of the last round of this process. */
export const waitingObjects = { files: 0, fileBytes: 0, messageDays: 0 };

/** A backlog is moved in rounds, one after the other. */
export const moveObjectsTask = (services: Services): PeriodicTask => ({
  name: 'move_objects',
  every: (took) => (took >= roundTime ? 100 : minute),
  first: minute / 4,
  run: () => moveObjects(services),
});

/** One round. What waits is counted even if nothing can be moved. */
export async function moveObjects(services: Services): Promise<void> {
  if (!services.objects) return;
  try {
    await moveFiles(services);
    await moveMessages(services);
  } finally {
    const { count, bytes } = await countWaitingFiles(services);
    Object.assign(waitingObjects, { files: count, fileBytes: bytes, messageDays: await countWaitingDays(services) });
  }
}
