/** Interface of a mail service, and the contents of mails. Implemented by `server/mail`. */
import type { Language } from '../../schema/shared/languages';
import type { Queries } from '../db/core/database';

export interface Mailer {
  /**
   * Enqueues a mail in the transaction of its cause: the mail goes out if and only if that transaction commits. `key`
   * names the mail; a second mail with the same key is never sent.
   */
  send(tx: Queries, to: string, language: Language, letter: Letter, key?: string): Promise<void>;
  /** Without a mail server: writes waiting mails to the outbox, then returns its mails, newest first. */
  outbox(): Promise<StoredMail[]>;
  /** Waits for mails being sent, for five seconds at most. */
  close(): Promise<void>;
}

/** Content of a mail, by kind. `name` is used in the salutation. */
export type Letter =
  | { kind: 'reset'; name: string; link: string; code: string; minutes: number; codeMinutes: number }
  /** The name of an invited person is unknown. */
  | { kind: 'invitation'; name: ''; link: string; inviter: string; role: string; expires: Date }
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
  | { kind: 'problem_closed'; name: string; link: string; summary: string; time: string }
  /** To a reporter without an account, whose name is unknown. */
  | { kind: 'public_problem_closed'; name: ''; product: string; time: string }
  | ReportLetter
  | { kind: 'verify_email'; name: string; link: string; hours: number }
  | { kind: AccountNotice; name: string };

/** A scheduled report: its totals in the mail, the whole report as attachment. */
export interface ReportLetter {
  kind: 'report';
  name: string;
  link: string;
  /** Name of the report; `place` is its scope and `period` its period. */
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

/** Security notices about an account; they require no action. */
export type AccountNotice = 'password_changed' | 'email_changed' | 'second_factor_on' | 'second_factor_off';

export interface StoredMail {
  file: string;
  to: string;
  subject: string;
  date: string;
  /** The plain text. */
  text: string;
}
