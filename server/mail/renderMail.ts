/** Renders mails: subject, plain text, and simple HTML with the same words. */
import Polyglot from 'node-polyglot';
import de from '../../locales/de/mail.json';
import en from '../../locales/en/mail.json';
import fr from '../../locales/fr/mail.json';
import it from '../../locales/it/mail.json';
import pl from '../../locales/pl/mail.json';
import sv from '../../locales/sv/mail.json';
import type { MailFile } from '../../locales/types';
import type { Language } from '../../schema/shared/languages';
import type { Letter, LetterFigure } from '../context/mailer';

export const mailTexts: Record<Language, MailFile> = { en, de, sv, pl, fr, it };

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; content: Buffer; contentType: string }[];
}

/** Part of the body: a sentence, a link, a code, or figures. */
type LetterPart =
  | { text: string }
  | { link: string; label: string }
  | { code: string }
  | { figures: readonly LetterFigure[] };

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function renderMail(letter: Letter, language: Language): RenderedMail {
  const { greeting, footer, [letter.kind]: mailText } = mailTexts[language];
  const values = valuesOf(letter);
  const fill = (phrase: string) => Polyglot.transformPhrase(phrase, values, language);
  const parts: LetterPart[] = [...(letter.name ? [{ text: fill(greeting) }] : []), { text: fill(mailText.text) }];
  if (letter.kind === 'report') parts.push({ figures: letter.figures });
  if ('link' in letter) {
    const { button, after } = mailTexts[language][letter.kind];
    parts.push({ link: letter.link, label: fill(button) });
    if (letter.kind === 'reset') parts.push({ text: fill(mailTexts[language].reset.code) }, { code: letter.code });
    parts.push({ text: fill(after) });
  }
  parts.push({ text: fill(footer) });
  const content = {
    subject: fill(mailText.subject),
    text: `${parts.map(renderPlainText).join('\n\n')}\n`,
    html: page(parts, language),
  };
  if (letter.kind !== 'report') return content;
  return {
    ...content,
    attachments: [{ filename: letter.file.name, content: letter.file.content, contentType: workbook }],
  };
}

function valuesOf(letter: Letter): Record<string, string | number> {
  const name = oneLine(letter.name);
  if (letter.kind === 'reset') return { name, minutes: letter.minutes, code_minutes: letter.codeMinutes };
  if (letter.kind === 'invitation')
    return { name, inviter: oneLine(letter.inviter), role: oneLine(letter.role), date: dayOf(letter.expires) };
  if ('rule' in letter)
    return { name, rule: oneLine(letter.rule), summary: oneLine(letter.summary), time: letter.time };
  if (letter.kind === 'problem_reported') {
    const { summary, reporter, report, time } = letter;
    return { name, summary: oneLine(summary), reporter: oneLine(reporter), report: oneLine(report), time };
  }
  if (letter.kind === 'problem_closed') return { name, summary: oneLine(letter.summary), time: letter.time };
  if (letter.kind === 'public_problem_closed') return { product: oneLine(letter.product), time: letter.time };
  if (letter.kind === 'report')
    return { name, report: oneLine(letter.report), place: oneLine(letter.place), period: letter.period };
  if (letter.kind === 'verify_email') return { name, hours: letter.hours };
  return { name };
}

/** Names are user input and must not insert lines into a mail. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
const dayOf = (date: Date) => date.toISOString().slice(0, 10).split('-').reverse().join('.');

function renderPlainText(part: LetterPart): string {
  if ('text' in part) return part.text;
  if ('figures' in part) return part.figures.map(({ label, value }) => `${label}: ${value}`).join('\n');
  return 'link' in part ? part.link : part.code;
}

const page = (parts: readonly LetterPart[], language: Language) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body ` +
  `style="font-family:Arial,sans-serif;font-size:16px;line-height:1.5;color:#14202b">\n` +
  `${parts.map(html).join('\n')}\n</body></html>\n`;

function html(part: LetterPart): string {
  if ('text' in part) return `<p>${escapeHtml(part.text)}</p>`;
  if ('figures' in part) return tableOf(part.figures);
  if ('code' in part)
    return `<p style="font-size:24px;letter-spacing:2px"><strong>${escapeHtml(part.code)}</strong></p>`;
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
}

const tableOf = (figures: readonly LetterFigure[]) =>
  `<table style="border-collapse:collapse">${figures
    .map(
      ({ label, value }) =>
        `<tr><td style="padding:4px 24px 4px 0;border-bottom:1px solid ` +
        `#dfe5e8">${escapeHtml(label)}</td><td style="padding:4px 0;border-bottom:1px solid ` +
        `#dfe5e8;text-align:right"><strong>${escapeHtml(value)}</strong></td></tr>`,
    )
    .join('')}</table>`;

/** Escapes text for HTML elements and quoted attributes. */
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
