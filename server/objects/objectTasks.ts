/** Background work with the object storage, in every process. */
import type { Services } from '../context/services';
import type { PeriodicTask } from '../jobs/periodicTask';
import { countWaitingFiles, moveFiles, roundTime } from './moveFiles';
import { countWaitingDays, moveMessages } from './moveMessages';

const minute = 60_000;

/** Numbers of files and messages still to be moved, as of the last round of this process. */
export const waitingObjects = { files: 0, fileBytes: 0, messageDays: 0 };

/** Moves files and messages; while there is a backlog, one round follows the other without a pause. */
export const moveObjectsTask = (services: Services): PeriodicTask => ({
  name: 'move_objects',
  interval: (duration) => (duration >= roundTime ? 100 : minute),
  firstDelay: minute / 4,
  run: () => moveObjects(services),
});

/** Runs one round. Counts the backlog even if nothing can be moved. */
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
