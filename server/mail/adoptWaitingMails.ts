/** Adopts mails that version 0.1 left as files in `outbox/waiting`. To be removed in the next release. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../context/services';
import { enqueue } from '../jobs/jobQueue';
import type { ComposedMail } from './composeMail';
import { mailKind, sealMail } from './sealedMail';

/** Turns each file into a job, exactly once even if several processes start. Leaves unreadable files in place. */
export async function adoptWaitingMails(
  folder: string,
  { db, log, now, signingKey }: Pick<Services, 'db' | 'log' | 'now' | 'signingKey'>,
): Promise<void> {
  for (const file of await readdir(folder).catch(() => []))
    try {
      if (!/[.](json|taken)$/.test(file)) continue;
      const { since, ...mail } = JSON.parse(await readFile(join(folder, file), 'utf8')) as ComposedMail & {
        since: string;
      };
      const id = randomUUID();
      await enqueue(db, mailKind, {
        id,
        dedupeKey: `file ${file.replace(/[.]\w+$/, '')}`,
        secret: sealMail(signingKey, id, mail),
        runAt: now(),
        createdAt: new Date(since),
      });
      await rm(join(folder, file));
    } catch (err) {
      log.error({ err, file }, 'a waiting mail of the previous version could not be adopted');
    }
}
