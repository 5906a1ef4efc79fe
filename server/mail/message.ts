/** A mail as bytes (RFC 5322), with its words as they are, so that whoever opens the file finds links whole. */
import type { SendMailOptions } from 'nodemailer';
import type { Written } from './write';

/** For files only: a mail server may be too old for eight bits, so what goes there is left to nodemailer to encode. */
export const legible = ({ subject, text, html, attachments }: Written): SendMailOptions => ({
  subject,
  alternatives: [part('text/plain', text), part('text/html', html)],
  attachments,
});

/** Bytes of a line at most (RFC 5322, section 2.1.1). */
const longest = 998;

function part(contentType: string, content: string): { contentType: string; content?: string; raw?: string } {
  const lines = content.split('\n');
  if (lines.some((line) => Buffer.byteLength(line) > longest))
    return { contentType: `${contentType}; charset=utf-8`, content };
  return {
    contentType,
    raw: `Content-Type: ${contentType}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${lines.join('\r\n')}`,
  };
}
