/** What the server needs of a mail service, and the contents of mails. Implemented by `server/mail`. */
import type { Language } from '../../schema/shared/languages';

export interface Mailer {
  /**
   * Resolves when the mail is stored in a file, in the outbox or queued; never rejects, because the event that it
   * reports has happened already. Equal keys mean the same mail.
   */
  send(to: string, language: Language, letter: Letter, mark?: MailKey): Promise<void>;
  /** Mails in the outbox, newest first; empty if a mail server sends. */
  kept(): Promise<StoredMail[]>;
  /** Waits for mails being sent. */
  close(): Promise<void>;
}

/** Content of a mail, by kind. `name` is used in the salutation. */
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

/** Identifies a mail, so that sending it again after an unknown outcome makes no second one. */
export interface MailKey {
  id: string;
  /** Time of the event that caused it. */
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
