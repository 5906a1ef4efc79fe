/** Mails inside jobs, encrypted: reading the database alone must not reveal their links. */
import { seal, unseal } from '../context/encryptedSecret';
import type { LeasedJob } from '../jobs/jobQueue';
import type { ComposedMail } from './composeMail';

export const mailKind = 'mail';

/** `id`: of the job, sealed in. */
export const sealMail = (key: Uint8Array, id: string, mail: ComposedMail): Buffer =>
  seal(key, Buffer.from(JSON.stringify(mail)), `mail ${id}`);

/** @throws Error when another server's key sealed it */
export function unsealMail(key: Uint8Array, { id, secret }: LeasedJob): ComposedMail {
  try {
    return JSON.parse(unseal(key, secret as Uint8Array, `mail ${id}`).toString()) as ComposedMail;
  } catch (cause) {
    throw new Error('The mail is sealed by another key.', { cause });
  }
}
