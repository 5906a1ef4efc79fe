/** The mails, in one language. `%{name}` is replaced by a value. */
export interface MailTexts {
  /** Above the text of every mail. */
  greeting: string;
  /** Below the text of every mail. */
  footer: string;
  reset: Mailed & {
    /** Before the code: "Or type this code on the page:". */
    code: string;
  };
  invitation: Mailed;
  /** `%{summary}` says which machine and what; `%{time}` since when, at its place. */
  alert_fired: Mailed;
  alert_reminder: Mailed;
  alert_closed: Mailed;
  /** `%{report}` is what `%{reporter}` wrote. */
  problem_reported: Mailed;
  /** `%{report}` is its name, `%{place}` the client and what of it. */
  report: Mailed;
  password_changed: Omit<Mailed, 'button' | 'after'>;
  email_changed: Omit<Mailed, 'button' | 'after'>;
  verify_email: Mailed;
  second_factor_on: Omit<Mailed, 'button' | 'after'>;
  second_factor_off: Omit<Mailed, 'button' | 'after'>;
}

interface Mailed {
  subject: string;
  text: string;
  /** The label of the link. */
  button: string;
  /** Below the link. */
  after: string;
}
