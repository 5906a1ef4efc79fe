/** Outbox in place of a mail server: one `.eml` file per mail, readable by any mail program. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredMail } from '../context/mailer';

export class Outbox {
  constructor(private readonly folder: string) {}

  /**
   * Writes a message (RFC 5322) to a file that only the server's user can read, as a whole or not at all. File names
   * sort by `at`; the same `id` and `at` yield the same file.
   */
  async keep(message: string, { id, at }: { id: string; at: Date }): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `${at.toISOString().replaceAll(':', '-')}-${id}.eml`);
    await writeFile(`${path}.new`, message, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** Returns the latest mails, newest first. */
  async list(limit = 50): Promise<StoredMail[]> {
    const names = await readdir(this.folder).catch(() => []);
    const latestNames = names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()
      .slice(0, limit);
    return Promise.all(
      latestNames.map(async (file) => ({ file, ...readMail(await readFile(join(this.folder, file), 'utf8')) })),
    );
  }
}

/** Parses our own mails: headers and the plain-text part. */
export function readMail(source: string): Omit<StoredMail, 'file'> {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const header = (name: string) =>
    decodeHeader(new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1] ?? '');
  // If the mail has an attachment, the text is in a nested multipart.
  const boundary = (/^content-type: multipart\/alternative;\s+boundary="([^"]+)"/im.exec(source) ??
    /boundary="([^"]+)"/.exec(head))?.[1];
  const part =
    boundary === undefined
      ? source
      : (source.split(`--${boundary}`).find((text) => /^content-type: text\/plain/im.test(text)) ?? '');
  const start = part.indexOf('\r\n\r\n');
  return {
    to: header('To'),
    subject: header('Subject'),
    date: header('Date'),
    text: decodeBody(part.slice(0, start), part.slice(start + 4)),
  };
}

function decodeBody(head: string, text: string): string {
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(text, 'base64').toString();
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return text.replaceAll('\r\n', '\n');
  return decodeQuotedPrintable(text.replace(/=\r\n/g, '')).replaceAll('\r\n', '\n');
}

/** Decodes a header: encoded words (RFC 2047) and folded lines. */
const decodeHeader = (text: string) =>
  text
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, content: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString()
        : decodeQuotedPrintable(content.replaceAll('_', ' ')),
    );

const decodeQuotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
