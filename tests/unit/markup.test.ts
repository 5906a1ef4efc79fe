/**
 * Names that contain markup and line breaks, in every mail and language: they are shown literally, without adding
 * elements or headers.
 */
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import type { Letter } from '../../server/context/mailer';
import { composeMail } from '../../server/mail/composeMail';
import { renderMail } from '../../server/mail/renderMail';

const injection = `<img src=x onerror=alert(1)>"'&\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>`;
const base = { name: injection, link: 'https://fleet.example/x?a=1&b="><script>' };
const letters: Letter[] = [
  { kind: 'reset', ...base, code: '12345678', minutes: 60, codeMinutes: 10 },
  { kind: 'invitation', ...base, name: '', inviter: injection, role: injection, expires: new Date('2026-01-01') },
  ...(['alert_fired', 'alert_reminder', 'alert_closed'] as const).map(
    (kind): Letter => ({ kind, ...base, rule: injection, summary: injection, time: '12:00' }),
  ),
  { kind: 'verify_email', ...base, hours: 24 },
  ...(['password_changed', 'email_changed', 'second_factor_on', 'second_factor_off'] as const).map(
    (kind): Letter => ({ kind, name: injection }),
  ),
];

describe.each(languageCodes)('in %s', (language) => {
  test.each(
    letters.map((letter) => [letter.kind, letter] as const),
  )('a mail of kind %s shows them literally', (_, letter) => {
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

test('names never become headers of the message', async () => {
  for (const letter of letters)
    for (const isFile of [true, false]) {
      const { envelope, message } = await composeMail({
        from: 'fleet@example.com',
        messageId: '<1@sweepline>',
        to: 'you@example.com\r\nBcc: all@example.com',
        language: 'en',
        letter,
        isFile,
      });
      const [headers = ''] = message.split('\r\n\r\n');
      expect(headers).not.toMatch(/^(Bcc|X-)/im);
      expect(envelope.to).toHaveLength(1);
    }
});
