/** What the server needs of a mail service, and the contents of mails. Implemented by `server/mail`. */
import type { Language } from '../../schema/shared/languages';

export interface Mailer {
  /**
   * Resolves when the mail is kept in a file, in the outbox or to be sent; never rejects, since what it tells of is
   * done already. With the same mark it is the same mail.
   */
  send(to: string, language: Language, letter: Letter, mark?: MailKey): Promise<void>;
  /** What the outbox holds, newest first; nothing where a mail server sends. */
  kept(): Promise<StoredMail[]>;
  /** Waits for what is being sent. */
  close(): Promise<void>;
}

/** What a mail says, by kind. `name` is how the reader is greeted. */
export type Letter =
  | { kind: 'reset'; name: string; link: string; code: string; minutes: number; codeMinutes: number }
  | { kind: 'invitation'; name: string; link: string; inviter: string; role: string; expires: Date }
  | {
      kind: 'alert_fired' | 'alert_reminder' | 'alert_closed';
      name: string;
      link: string;
      rule: string;
      summary: string;
      time: string;
    }
  | {
      kind: 'problem_reported';
      name: string;
      link: string;
      summary: string;
      reporter: string;
      report: string;
      time: string;
    }
  | ReportLetter
  | { kind: 'verify_email'; name: string; link: string; hours: number }
  | { kind: AccountNotice; name: string };

/** A scheduled report: its totals in the mail, the whole report as attachment. */
export interface ReportLetter {
  kind: 'report';
  name: string;
  link: string;
  /** Name, scope and period of the report. */
  report: string;
  place: string;
  period: string;
  figures: readonly LetterFigure[];
  file: { name: string; content: Buffer };
}

export interface LetterFigure {
  label: string;
  value: string;
}

/** Security notices about an account; they call for no answer. */
export type AccountNotice = 'password_changed' | 'email_changed' | 'second_factor_on' | 'second_factor_off';

/** What makes a mail the same mail, should it be sent again because nobody knows whether it was. */
export interface MailKey {
  id: string;
  /** When it came to be wanted. */
  at: Date;
}

export interface StoredMail {
  file: string;
  to: string;
  subject: string;
  date: string;
  /** The plain text. */
  text: string;
}
