/**
 * Shapes of the text files. What follows from the declarations (labels, choices, roles, units, problems) is typed from
 * them; every other key exists because `en` has it. `%{name}` stands for a value, ` |||| ` separates plural forms, as
 * node-polyglot reads them.
 */
import type { ProblemKey } from '../schema/dsl/checks';
import type { RoleName } from '../schema/dsl/entity';
import type { Field, Unit } from '../schema/dsl/field';
import type { AlertKind } from '../schema/entities/alerts';
import type { ReportColumnName, ReportLevel, ReportResult, Urgency } from '../schema/features/reports';
import type { EntityName, Registry } from '../schema/index';
import type { ReportName } from '../schema/shared/reportNames';
import type api from './en/api.json';
import type entities from './en/entities.json';
import type mail from './en/mail.json';
import type ui from './en/ui.json';

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

/** `entities.json`: read by the server and by pages. */
export interface EntityFile extends Pick<typeof entities, 'actions' | 'reasons'> {
  common: Record<CommonName | 'file', string>;
  resources: { [N in EntityName]: EntityTexts<N> };
  units: Record<Unit, string>;
  roles: Record<RoleName, string>;
  reports: {
    about: Record<ReportName, string>;
    levels: Record<ReportLevel, string>;
    columns: Record<ReportColumnName, string>;
    results: Record<ReportResult, string>;
    urgencies: Record<Urgency, string>;
    /** Heading of the addresses of rows in files. */
    page: string;
    total: string;
  };
  /** Complete sentences. Every one may use `%{field}`, the field's label. */
  validation: Record<ProblemKey, string>;
}

/** `api.json`: what only the server says. */
export interface ApiFile extends Omit<typeof api, 'alerts'> {
  /** Finding of an alert: after the name of a machine or place in lists, inside the sentences of messages. */
  alerts: Record<
    AlertKind | 'reported_other' | 'error_any' | 'run_incomplete_any' | 'zone_never_cleaned' | 'public_page',
    string
  >;
}

/** `ui.json`: what only pages say. */
export type UiFile = typeof ui;
/** `mail.json`. */
export type MailFile = typeof mail;

/** Everything the server says in one language, mails aside. */
export type Texts = EntityFile & ApiFile;
