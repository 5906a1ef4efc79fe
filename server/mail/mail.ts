/**
 * Sends mails: by a mail server, or into the outbox where there is none. Call it after the commit, so that no mail
 * tells of what never happened.
 */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Language } from '../../schema/texts/types';
import type { Env } from '../context/env';
import { keepDelivering } from './deliver';
import { type QueuedMail, Waiting } from './fileQueue';
import type { MailKey } from './files';
import { legible } from './message';
import { Outbox, type StoredMail } from './outbox';
import { type Letter, renderMail } from './write';

export interface Mail {
  /**
   * Resolves when the mail is kept in a file, in the outbox or to be sent; never rejects, since what it tells of is
   * done already. With the same mark it is the same mail.
   */
  send(to: string, language: Language, letter: Letter, mark?: MailKey): Promise<void>;
  /** What the outbox holds, newest first; nothing where a mail server sends. */
  kept(): Promise<StoredMail[]>;
  /** Waits for what is being sent. */
  close(): Promise<void>;
}

export function openMail(
  { smtpUrl, mailFrom, dataDir }: Pick<Env, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  log: FastifyBaseLogger,
): Mail {
  const outbox = new Outbox(join(dataDir, 'outbox'));
  return smtpUrl
    ? byServer({ url: smtpUrl, from: mailFrom, outbox, waiting: new Waiting(join(dataDir, 'outbox', 'waiting')), log })
    : byOutbox(outbox, mailFrom, log);
}

function byOutbox(outbox: Outbox, from: string, log: FastifyBaseLogger): Mail {
  return {
    async send(to, language, letter, mark) {
      try {
        const { message } = await composed({
          from,
          ...named(mark),
          to: { name: '', address: to },
          ...legible(renderMail(letter, language)),
        });
        await outbox.keep(message, mark);
      } catch (error) {
        log.error({ err: error, kind: letter.kind }, 'a mail could not be kept in the outbox');
      }
    },
    kept: () => outbox.list(),
    close: async () => {},
  };
}

interface Route {
  url: string;
  from: string;
  outbox: Outbox;
  waiting: Waiting;
  log: FastifyBaseLogger;
}

function byServer({ url, from, outbox, waiting, log }: Route): Mail {
  const transport = createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 });
  const delivery = keepDelivering({ waiting, transport, outbox, log });
  delivery.begin();
  return {
    async send(to, language, letter, mark) {
      try {
        const { envelope, message } = await composed({
          from,
          ...named(mark),
          to: { name: '', address: to },
          ...renderMail(letter, language),
        });
        await waiting.add({ envelope, message: message.toString(), since: new Date().toISOString() }, mark);
        delivery.begin();
      } catch (error) {
        log.error({ err: error, kind: letter.kind }, 'a mail could not be kept to be sent');
      }
    },
    kept: async () => [],
    async close() {
      await delivery.stop();
      transport.close();
    },
  };
}

const named = (mark: MailKey | undefined): SendMailOptions => (mark ? { messageId: `<${mark.id}@sweepline>` } : {});

const composing = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function composed(options: SendMailOptions): Promise<{ envelope: QueuedMail['envelope']; message: Buffer }> {
  const { envelope, message } = await composing.sendMail(options);
  return { envelope, message: message as Buffer };
}
