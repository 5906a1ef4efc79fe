/** A mail as it is sent or kept (RFC 5322). */
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Language } from '../../schema/shared/languages';
import type { Letter } from '../context/mailer';
import { type RenderedMail, renderMail } from './renderMail';

export interface ComposedMail {
  envelope: { from: string | false; to: string[] };
  message: string;
}

interface ComposeRequest {
  from: string;
  to: string;
  messageId: string;
  language: Language;
  letter: Letter;
  /** Whether people open the mail as a file: words and links then stay unencoded and unbroken. */
  isFile: boolean;
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** Renders a letter as a message with headers, together with its envelope. */
export async function composeMail({ to, language, letter, isFile, ...head }: ComposeRequest): Promise<ComposedMail> {
  const renderedMail = renderMail(letter, language);
  const { envelope, message } = await composer.sendMail({
    ...head,
    to: { name: '', address: to },
    ...(isFile ? asReadableFile(renderedMail) : renderedMail),
  });
  return { envelope, message: message.toString() };
}

/** For files only. Mail servers may not support 8-bit text, so nodemailer encodes mails sent to them. */
const asReadableFile = ({ subject, text, html, attachments }: RenderedMail): SendMailOptions => ({
  subject,
  alternatives: [part('text/plain', text), part('text/html', html)],
  attachments,
});

/** Maximum bytes per line (RFC 5322, section 2.1.1). */
const maxLineBytes = 998;

function part(contentType: string, content: string): { contentType: string; content?: string; raw?: string } {
  const lines = content.split('\n');
  if (lines.some((line) => Buffer.byteLength(line) > maxLineBytes))
    return { contentType: `${contentType}; charset=utf-8`, content };
  return {
    contentType,
    raw: `Content-Type: ${contentType}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${lines.join('\r\n')}`,
  };
}
