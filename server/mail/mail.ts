/**
 * Sends mails: by a mail server, or into the outbox where there is none. Call it after the commit, so that no mail
 * tells of what never happened.
 */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Env } from '../context/env';
import type { Mailer, MailKey } from '../context/mailer';
import { keepDelivering } from './deliver';
import { MailFileQueue, type QueuedMail } from './fileQueue';
import { legible } from './message';
import { Outbox } from './outbox';
import { renderMail } from './write';

export function openMail(
  { smtpUrl, mailFrom, dataDir }: Pick<Env, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  log: FastifyBaseLogger,
): Mailer {
  const outbox = new Outbox(join(dataDir, 'outbox'));
  return smtpUrl
    ? byServer({
        url: smtpUrl,
        from: mailFrom,
        outbox,
        waiting: new MailFileQueue(join(dataDir, 'outbox', 'waiting')),
        log,
      })
    : byOutbox(outbox, mailFrom, log);
}

function byOutbox(outbox: Outbox, from: string, log: FastifyBaseLogger): Mailer {
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
  waiting: MailFileQueue;
  log: FastifyBaseLogger;
}

function byServer({ url, from, outbox, waiting, log }: Route): Mailer {
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
