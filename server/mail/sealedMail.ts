/** Encrypts mails inside jobs: somebody who reads only the database must not learn the links in them. */
import { seal, unseal } from '../context/encryptedSecret';
import type { LeasedJob } from '../jobs/jobQueue';
import type { ComposedMail } from './composeMail';

export const mailKind = 'mail';

/** Seals a mail for the job `id`; it cannot be unsealed in another job. */
export const sealMail = (key: Uint8Array, id: string, mail: ComposedMail): Buffer =>
  seal(key, Buffer.from(JSON.stringify(mail)), `mail ${id}`);

/**
 * Decrypts the mail of a job.
 * @throws Error if another server's key sealed it
 */
export function unsealMail(key: Uint8Array, { id, secret }: LeasedJob): ComposedMail {
  try {
    return JSON.parse(unseal(key, secret as Uint8Array, `mail ${id}`).toString()) as ComposedMail;
  } catch (cause) {
    throw new Error('The mail is sealed by another key.', { cause });
  }
}
