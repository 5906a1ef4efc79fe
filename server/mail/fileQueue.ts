/**
 * Mails on their way to a mail server: a file each until it has taken them over, so that neither its absence nor our
 * own end loses one.
 */
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailKey } from '../context/mailer';
import { writeMailFile } from './files';

/** A mail as it goes out, ready for any number of tries: with the same `Message-ID` each time. */
export interface QueuedMail {
  envelope: { from: string | false; to: string[] };
  /** RFC 5322, in seven bits. */
  message: string;
  /** ISO 8601: since when it waits. */
  since: string;
}

/** Milliseconds after which a mail that somebody took is waiting again: who took it has ended on the way. */
const abandoned = 10 * 60_000;

export class MailFileQueue {
  constructor(private readonly folder: string) {}

  add = (mail: QueuedMail, mark?: MailKey): Promise<void> =>
    writeMailFile(this.folder, '.json', JSON.stringify(mail), mark);

  /** Names of the mails that nobody has taken, those first that were not tried for longest. */
  async names(): Promise<string[]> {
    const files = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(
      files.map(async (file) => ({
        file,
        at: await stat(join(this.folder, file)).then(
          ({ mtimeMs }) => mtimeMs,
          () => undefined,
        ),
      })),
    );
    const old = Date.now() - abandoned;
    const free: { name: string; at: number }[] = [];
    for (const { file, at } of found) {
      if (at === undefined || !/[.](json|taken)$/.test(file)) continue;
      const name = file.replace(/[.]\w+$/, '');
      if (file.endsWith('.json') || (at < old && (await this.move(name, 'taken', 'json')))) free.push({ name, at });
    }
    return free.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
  }

  /** Takes a mail; `undefined` when another process was quicker. */
  async take(name: string): Promise<QueuedMail | undefined> {
    const now = new Date();
    await utimes(this.path(name, 'json'), now, now).catch(() => undefined);
    if (!(await this.move(name, 'json', 'taken'))) return undefined;
    return JSON.parse(await readFile(this.path(name, 'taken'), 'utf8')) as QueuedMail;
  }

  /** Puts a mail that was taken back among the waiting. */
  back = (name: string): Promise<boolean> => this.move(name, 'taken', 'json');

  /** Forgets a mail that was taken. */
  done = (name: string): Promise<void> => rm(this.path(name, 'taken'), { force: true });

  private path = (name: string, ending: 'json' | 'taken') => join(this.folder, `${name}.${ending}`);
  /** Of several who try only one succeeds. */
  private move = (name: string, from: 'json' | 'taken', to: 'json' | 'taken') =>
    rename(this.path(name, from), this.path(name, to)).then(
      () => true,
      () => false,
    );
}
