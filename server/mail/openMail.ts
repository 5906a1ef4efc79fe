/**
 * Sends mails: through the mail server, or into the outbox if there is none. Mails are enqueued in the transaction that
 * they report on, so none reports a rolled-back change and none is lost.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Env } from '../context/env';
import type { Mailer } from '../context/mailer';
import type { Services } from '../context/services';
import { enqueue, type LeasedJob } from '../jobs/jobQueue';
import { type JobKind, type JobServices, startJobWorker } from '../jobs/jobWorker';
import { adoptWaitingMails } from './adoptWaitingMails';
import { composeMail } from './composeMail';
import { Outbox } from './outbox';
import { mailKind, sealMail, unsealMail } from './sealedMail';

/** Seconds until the next attempt after a temporary rejection. */
const backOff = [1, 10, 60, 300];
/** Milliseconds after which the server gives up a mail. */
const maxAge = 3 * 24 * 3_600_000;
/** Milliseconds for which `close` waits for mails that are being sent. */
const stopTimeout = 5000;

type MailerServices = JobServices &
  Pick<Services, 'signingKey'> & { env: Pick<Env, 'smtpUrl' | 'mailFrom' | 'dataDir'> };

/** Opens the mail service and starts the mail worker of this process. */
export function openMail(services: MailerServices): Mailer {
  const { env, signingKey, now } = services;
  const outbox = new Outbox(join(env.dataDir, 'outbox'));
  const transport = env.smtpUrl
    ? createTransport({ url: env.smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
    : undefined;
  const worker = startJobWorker(services, mailJobs(services, outbox, transport));
  const adoption = adoptWaitingMails(join(env.dataDir, 'outbox', 'waiting'), services);
  return {
    async send(tx, to, language, letter, key) {
      const id = randomUUID();
      const mail = await composeMail({
        from: env.mailFrom,
        messageId: `<${key ?? id}@sweepline>`,
        to,
        language,
        letter,
        isFile: !transport,
      });
      const secret = sealMail(signingKey, id, mail);
      await enqueue(tx, mailKind, { id, dedupeKey: key, payload: { letter: letter.kind }, secret, runAt: now() });
    },
    async outbox() {
      worker.wake();
      await worker.waitUntilIdle();
      return transport ? [] : outbox.list();
    },
    async close() {
      await adoption;
      await Promise.race([worker.stop(), new Promise((resolve) => setTimeout(resolve, stopTimeout).unref())]);
      transport?.close();
    },
  };
}

const mailJobs = (
  { signingKey, log }: MailerServices,
  outbox: Outbox,
  transport: ReturnType<typeof createTransport> | undefined,
): JobKind<object> => ({
  kind: mailKind,
  concurrency: 5,
  backOff: (attempts) => backOff[Math.min(attempts, backOff.length) - 1],
  isHopeless: isGivenUp,
  isServerDown,
  async run(job) {
    const { envelope, message } = unsealMail(signingKey, job);
    const key = { id: job.id, at: job.created_at };
    if (!transport) {
      await outbox.keep(message, key);
      return { outcome: 'kept' };
    }
    try {
      await transport.sendMail({ envelope, raw: message });
    } catch (error) {
      if (isGivenUp(error, job)) {
        await outbox.keep(message, key);
        log.error({ err: error, since: job.created_at }, 'gave up sending a mail; it is in the outbox');
      }
      throw error;
    }
    return { outcome: 'sent' };
  },
});

interface MailFailure {
  code?: string;
  responseCode?: number;
  command?: string;
}

/**
 * Whether the rejection concerns this mail only. A rejected sender means that the mail server rejects us altogether,
 * usually for lack of a password, unless the mail is too large (RFC 5321, section 4.2.2; RFC 1870).
 */
const isAboutMail = ({ code = '', responseCode, command }: MailFailure): boolean =>
  code === 'EMESSAGE' || (code === 'EENVELOPE' && (command !== 'MAIL FROM' || responseCode === 552));

/** Whether the mail was rejected permanently or is too old. */
const isGivenUp = (error: unknown, { created_at }: LeasedJob): boolean =>
  (isAboutMail(error as MailFailure) && ((error as MailFailure).responseCode ?? 0) >= 500) ||
  Date.now() - created_at.getTime() >= maxAge;

/**
 * Whether any other mail would fail, too: the server is unreachable, untrusted or rejects us, or the outbox's disk is
 * full.
 */
const isServerDown = (error: unknown): boolean =>
  (error as MailFailure).code !== undefined && !isAboutMail(error as MailFailure);
