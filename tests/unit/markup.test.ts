/**
 * Names with markup and line ends in them, in every mail and language: they are read as they are and bring neither
 * elements nor headers.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import type { Letter } from '../../server/context/mailer';
import { openMail } from '../../server/mail/mail';
import { renderMail } from '../../server/mail/write';

const evil = `<img src=x onerror=alert(1)>"'&\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>`;
const shared = { name: evil, link: 'https://fleet.example/x?a=1&b="><script>' };
const letters: Letter[] = [
  { kind: 'reset', ...shared, code: '12345678', minutes: 60, codeMinutes: 10 },
  { kind: 'invitation', ...shared, inviter: evil, role: evil, expires: new Date('2026-01-01') },
  ...(['alert_fired', 'alert_reminder', 'alert_closed'] as const).map(
    (kind): Letter => ({ kind, ...shared, rule: evil, summary: evil, time: '12:00' }),
  ),
  { kind: 'verify_email', ...shared, hours: 24 },
  ...(['password_changed', 'email_changed', 'second_factor_on', 'second_factor_off'] as const).map(
    (kind): Letter => ({ kind, name: evil }),
  ),
];

describe.each(languageCodes)('in %s', (language) => {
  test.each(letters.map((letter) => [letter.kind, letter] as const))('a mail of the kind %s', (_, letter) => {
    const { subject, text, html } = renderMail(letter, language);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<(img|script)\b/i);
    expect(
      html.match(/<[a-z]+/g)?.every((tag) => ['<html', '<head', '<meta', '<body', '<p', '<a', '<strong'].includes(tag)),
    ).toBe(true);
    expect(html.match(/href="[^"]*"/g) ?? []).toHaveLength('link' in letter ? 1 : 0);
    expect(text).not.toMatch(/^Bcc:/m);
  });
});

test('and none of it becomes a head of the message', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-mail-'));
  const mail = openMail({ smtpUrl: undefined, mailFrom: 'fleet@example.com', dataDir }, pino({ level: 'silent' }));
  for (const letter of letters) await mail.send('you@example.com\r\nBcc: all@example.com', 'en', letter);
  const folder = join(dataDir, 'outbox');
  const files = readdirSync(folder).filter((file) => file.endsWith('.eml'));
  expect(files).toHaveLength(letters.length);
  for (const file of files) {
    const [head = ''] = readFileSync(join(folder, file), 'utf8').split('\r\n\r\n');
    expect(head).not.toMatch(/^(Bcc|X-)/im);
  }
  await mail.close();
  rmSync(dataDir, { recursive: true });
});
