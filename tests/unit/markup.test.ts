/** Names that contain markup and line breaks add neither elements nor headers to any mail, in any language. */
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
  { kind: 'problem_reported', ...base, summary: injection, reporter: injection, report: injection, time: '12:00' },
  { kind: 'problem_closed', ...base, summary: injection, time: '12:00' },
  { kind: 'public_problem_closed', name: '', product: injection, time: '12:00' },
  {
    kind: 'report',
    ...base,
    report: injection,
    place: injection,
    period: '2026-01',
    figures: [{ label: 'Area', value: '12' }],
    file: { name: 'report.xlsx', content: Buffer.from('') },
  },
  { kind: 'verify_email', ...base, hours: 24 },
  ...(['password_changed', 'email_changed', 'second_factor_on', 'second_factor_off'] as const).map(
    (kind): Letter => ({ kind, name: injection }),
  ),
];

const ownTags = ['html', 'head', 'meta', 'body', 'p', 'a', 'strong', 'table', 'tr', 'td'];

describe.each(languageCodes)('in %s', (language) => {
  test.each(
    letters.map((letter) => [letter.kind, letter] as const),
  )('a mail of kind %s has only its own elements and headers', (_, letter) => {
    const { subject, text, html } = renderMail(letter, language);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<(img|script)\b/i);
    const foreignTags = html.match(/<[a-z]+/g)?.filter((tag) => !ownTags.includes(tag.slice(1)));
    expect(foreignTags).toEqual([]);
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
      expect(headers).not.toMatch(/^Bcc:/im);
      expect(envelope.to).toHaveLength(1);
    }
});
