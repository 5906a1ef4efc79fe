/**
 * The texts that follow from the declarations and that both sides need: labels, choices, validation, answers of the
 * API, reasons of a state. A missing one does not compile. `%{name}` is replaced by a value; `||||` parts are plural
 * forms, both as node-polyglot reads them.
 */

import type { ProblemKey } from '../dsl/checks';
import type { Field, Unit } from '../dsl/field';
import type { AlertKind } from '../entities/alerts';
import type { ReportColumnName, ReportLevel, ReportResult, Urgency } from '../features/reports';
import type { EntityName, Registry } from '../index';
import type { ReportName } from '../shared/reportNames';

type CommonName = 'id' | 'created_at' | 'updated_at' | 'version';
type Fields<N extends EntityName> = Registry[N]['fields'];
type OwnName<N extends EntityName> = Exclude<Extract<keyof Fields<N>, string>, CommonName>;
type Where<N extends EntityName, Condition> = {
  [F in OwnName<N>]: Fields<N>[F] extends Condition ? F : never;
}[OwnName<N>];
type BucketName<N extends EntityName> = Extract<keyof Registry[N]['buckets'], string>;
/** The words of buckets that are no ranges. */
type BucketWords<N extends EntityName> = {
  [B in BucketName<N> as Registry[N]['buckets'][B] extends readonly string[]
    ? B
    : never]: Registry[N]['buckets'][B] extends readonly (infer W extends string)[] ? Record<W, string> : never;
};
type Groups<N extends EntityName> = string & keyof Record<string, N>;
/** Labels inside a list of small records: `records.emails.verified`. */
type RecordTexts<N extends EntityName> = [Where<N, Field<'records'>>] extends [never]
  ? unknown
  : {
      records: {
        [F in Where<N, Field<'records'>>]: Fields<N>[F] extends { value?: (infer R)[] }
          ? Record<Extract<keyof R, string>, string>
          : never;
      };
    };

export type EntityTexts<N extends EntityName> = RecordTexts<N> & {
  /** One row and many rows, as they stand alone: "Machine", "Machines". */
  name: string;
  plural: string;
  /** A number of rows, inside a line: "12 machines". */
  counted: string;
  /** The button and the title of the form for a new row: "Add machine". */
  add: string;
  /** The title of the form for an existing row: "Edit machine". */
  edit: string;
  /** Toasts after the row was added, changed, deleted. */
  added: string;
  changed: string;
  deleted: string;
  /** A sentence for the empty list: what belongs here. */
  empty: string;
  /** Labels of the fields and buckets. */
  fields: Record<OwnName<N> | BucketName<N>, string>;
  /** Every word of a choice; a yes-or-no field may have its own words. */
  choices: Partial<Record<Where<N, Field<'boolean'>>, Record<'true' | 'false', string>>> & {
    [F in Where<N, Field<'choice'>>]: Fields<N>[F] extends { choices: readonly (infer C extends string)[] }
      ? Record<C, string>
      : never;
  } & BucketWords<N>;
  help: { [F in Where<N, { help: true }>]: string };
  groups: Record<Groups<N>, string>;
};

export type ValidationTexts = Record<ProblemKey, string>;

export interface Texts {
  resources: { [N in EntityName]: EntityTexts<N> };
  common: Record<CommonName | 'file', string>;
  units: Record<Unit, string>;
  /** Complete sentences. Every one may use `%{field}`, the field's label. */
  validation: ValidationTexts;
  roles: Record<'admin' | 'country_manager' | 'partner' | 'customer_admin' | 'site_manager' | 'operator', string>;
  actions: Record<
    | 'list'
    | 'show'
    | 'create'
    | 'edit'
    | 'delete'
    | 'import'
    | 'export'
    | 'note'
    | 'finance'
    | 'command'
    | 'contact'
    | 'impersonate'
    | 'acknowledge'
    | 'report',
    string
  >;
  /**
   * Answers of the API. `Unauthenticated.`, `Too Many Attempts.` and `Server Error` are fixed by the contract and the
   * same in every language.
   */
  api: {
    more_errors: string;
    rows_refused: string;
    more_rows: string;
    wrong_login: string;
    in_use: string;
    in_use_for_good: string;
    not_in_bin: string;
    last_admin: string;
    named_role: string;
    beyond_own_rights: string;
    conflict: string;
    stale: string;
    too_large: string;
    wrong_type: string;
    malformed: string;
    unavailable: string;
    no_room: string;
    timed_out: string;
    limit_keys: string;
    limit_pairs: string;
    limit_entries: string;
    limit_references: string;
    limit_characters: string;
    limit_alternatives: string;
    limit_words: string;
    limit_filters: string;
    limit_sorts: string;
    limit_included: string;
    code_invalid: string;
    link_invalid: string;
    invitation_invalid: string;
    current_password: string;
    tracker_taken: string;
    ticket_invalid: string;
    second_factor_on: string;
    address_unverified: string;
    primary_address: string;
    too_many_tokens: string;
    location_of_other_fleet: string;
    own_account: string;
    own_password: string;
    read_only: string;
    period_backwards: string;
    period_too_long: string;
    service_from_entries: string;
    service_from_plan: string;
    in_future: string;
    machine_or_type: string;
    time_of_day: string;
    of_other_client: string;
    view_of_machines: string;
    view_of_locations: string;
    webhook_address: string;
    alert_closed: string;
    import_empty: string;
    import_kind: string;
    import_encrypted: string;
    import_damaged: string;
    import_too_large: string;
    import_rows: string;
    import_rows_embedded: string;
    import_queue_full: string;
    import_columns: string;
    import_quotes: string;
    import_failed: string;
    import_may_not: string;
    import_not_now: string;
    import_cell_error: string;
    import_date_order: string;
    import_no_such_name: string;
    import_ambiguous_name: string;
    import_ambiguous_row: string;
    import_twice: string;
    import_no_such_row: string;
    import_may_not_create: string;
    import_may_not_edit: string;
    import_rejected: string;
    import_errors: string;
    import_changed_since: string;
    import_not_undone: string;
    import_row_changed: string;
    import_partly_undone: string;
    import_half_undone: string;
    yes: string;
    no: string;
  };
  /** Why a machine is in its state. */
  reasons: {
    never: string;
    silent: string;
    connection_lost: string;
    connected: string;
    signed_off: string;
    hibernating: string;
    charging: string;
    cleaning: string;
    parked: string;
    no_motion: string;
    message: string;
  };
  /** When and why a service is due, and how calendars call it. */
  service: Record<
    | 'hours'
    | 'hours_idle'
    | 'hours_over'
    | 'months'
    | 'months_over'
    | 'by_hand'
    | 'by_hand_over'
    | 'calendar'
    | 'event',
    string
  >;
  /**
   * The log of a machine: heads of its sheet, and what is written of a clock that is not believed and of a message that
   * cannot be read.
   */
  logs: {
    title: string;
    time: string;
    level: string;
    levels: Record<'info' | 'warning' | 'error', string>;
    event: string;
    clock: string;
    refused: string;
  };
  /** The reports: their names, a sentence on each, what their lines and columns are called. */
  reports: {
    names: Record<ReportName, string>;
    about: Record<ReportName, string>;
    levels: Record<ReportLevel, string>;
    columns: Record<ReportColumnName, string>;
    results: Record<ReportResult, string>;
    urgencies: Record<Urgency, string>;
    total: string;
  };
  /** What an alert has found: after the name of a machine or a place in lists, inside the sentences of messages. */
  alerts: Record<AlertKind, string> & {
    /** A report that names no kind of problem. */
    reported_other: string;
    /** Any code: a rule that names none. */
    error_any: string;
  };
}
