/** Sends mails: by a mail server, or into the outbox where there is none. Call it after the commit, so that no mail tells of what never happened. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { Language } from '../../schema/texts/types';
import type { Env } from '../env';
import { legible } from './message';
import { type Kept, Outbox } from './outbox';
import { type Letter, write } from './write';

export interface Mail {
  /** Resolves when the outbox holds the mail, or a mail server's queue has taken it over; never rejects, since what it tells of is done already. */
  send(to: string, language: Language, letter: Letter): Promise<void>;
  /** What the outbox holds, newest first; nothing where a mail server sends. */
  kept(): Promise<Kept[]>;
  /** Waits for what is being sent. */
  close(): Promise<void>;
}

/** Milliseconds before each further try. */
const patience = [1000, 10_000, 60_000];

export function openMail({ smtpUrl, mailFrom, dataDir }: Pick<Env, 'smtpUrl' | 'mailFrom' | 'dataDir'>, log: FastifyBaseLogger): Mail {
  return smtpUrl ? byServer(smtpUrl, mailFrom, log) : byOutbox(new Outbox(join(dataDir, 'outbox')), mailFrom, log);
}

function byOutbox(outbox: Outbox, from: string, log: FastifyBaseLogger): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(to, language, letter) {
      try {
        const { message } = await transport.sendMail({ from, to: { name: '', address: to }, ...legible(write(letter, language)) });
        await outbox.keep(message as Buffer);
      } catch (error) {
        log.error({ err: error, kind: letter.kind }, 'a mail could not be kept in the outbox');
      }
    },
    kept: () => outbox.list(),
    close: async () => transport.close(),
  };
}

function byServer(url: string, from: string, log: FastifyBaseLogger): Mail {
  const transport = createTransport({ url, pool: true, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 });
  const stopping = new AbortController();
  const under = new Set<Promise<void>>();

  async function deliver(to: string, language: Language, letter: Letter): Promise<void> {
    for (const wait of [...patience, undefined]) {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, ...write(letter, language) });
        return;
      } catch (error) {
        log.error({ err: error, kind: letter.kind, again: wait !== undefined && !stopping.signal.aborted }, 'a mail could not be sent');
        if (wait === undefined || stopping.signal.aborted) return;
        await pause(wait, stopping.signal);
      }
    }
  }

  return {
    async send(to, language, letter) {
      const sending = deliver(to, language, letter).finally(() => under.delete(sending));
      under.add(sending);
    },
    kept: async () => [],
    async close() {
      stopping.abort();
      await Promise.race([Promise.all(under), pause(5000)]);
      transport.close();
    },
  };
}

const pause = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
