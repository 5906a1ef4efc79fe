/**
 * Carries waiting mails to a mail server, again and again until it takes them; what it will never take is put into the
 * outbox for people to see.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Transporter } from 'nodemailer';
import type { MailFileQueue } from './fileQueue';
import type { Outbox } from './outbox';

/** Milliseconds until the next round, after each further one that left mails behind. */
const patience = [1000, 10_000, 60_000, 300_000];
/** Milliseconds until a round that nobody asked for: other processes may have left something. */
const idle = 300_000;
/** Milliseconds after which a mail is given up. */
const mostAge = 3 * 24 * 3_600_000;

interface Route {
  waiting: MailFileQueue;
  transport: Transporter;
  outbox: Outbox;
  log: FastifyBaseLogger;
}

export interface MailDelivery {
  /** Begins a round, now or after the one under way. */
  begin(): void;
  /** Ends after the mail that is just being sent, within five seconds. */
  stop(): Promise<void>;
}

export function keepDelivering(route: Route): MailDelivery {
  const { log } = route;
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isStopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  async function round(): Promise<void> {
    const isLeft = await deliverAll(route, () => isStopped).catch((err) => {
      log.error({ err }, 'waiting mails could not be read');
      return true;
    });
    failures = isLeft ? failures + 1 : 0;
    running = undefined;
    if (isAsked) begin();
    else if (!isStopped)
      timer = setTimeout(begin, isLeft ? patience[Math.min(failures, patience.length) - 1] : idle).unref();
  }

  function begin(): void {
    clearTimeout(timer);
    isAsked = running !== undefined;
    if (!running && !isStopped) running = round();
  }

  return {
    begin,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
    },
  };
}

/** One round; tells whether mails were left behind. */
async function deliverAll({ waiting, transport, outbox, log }: Route, isStopped: () => boolean): Promise<boolean> {
  let isLeft = false;
  for (const name of await waiting.names()) {
    if (isStopped()) return true;
    const mail = await waiting.take(name);
    if (!mail) continue;
    const error = await transport.sendMail({ envelope: mail.envelope, raw: mail.message }).then(
      () => undefined,
      (reason: Failure) => reason,
    );
    if (error && !isFinal(error) && Date.now() - Date.parse(mail.since) < mostAge) {
      log.warn({ err: error, since: mail.since }, 'a mail could not be sent and will be tried again');
      await waiting.back(name);
      isLeft = true;
      // A server that cannot be talked to has nothing to say to the others either.
      if (error.responseCode === undefined) return true;
      continue;
    }
    if (error) {
      log.error({ err: error, since: mail.since }, 'a mail was given up; it lies in the outbox');
      await outbox.keep(Buffer.from(mail.message));
    }
    await waiting.done(name);
  }
  return isLeft;
}

type Failure = Error & { code?: string; responseCode?: number };

/** Whether the server refused this very mail for good (RFC 5321, section 4.2.1), rather than us, or only this time. */
const isFinal = ({ code, responseCode = 0 }: Failure) =>
  responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
