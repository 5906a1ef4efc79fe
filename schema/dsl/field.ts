/**
 * The kinds of field that an entity can declare, and their builders.
 *
 * A field describes a value, not how it is stored, displayed or validated. Each of these is a table over `Kind`
 * elsewhere, so the compiler rejects a new kind until every table has it.
 */

import type { Hours } from './hours';
import type { ShapeName } from './shapes';

export const kinds = [
  'text',
  'longtext',
  'email',
  'phone',
  'color',
  'integer',
  'number',
  'money',
  'boolean',
  'date',
  'instant',
  'choice',
  'tags',
  'hours',
  'json',
  'image',
  'password',
  'ref',
  'refs',
  'many',
  'records',
] as const;
export type Kind = (typeof kinds)[number];

/** Physical unit of a number, shown in column headings and next to inputs. Durations are in seconds. */
export type Unit = 's' | 'm' | 'm2' | 'percent' | 'percent_per_year' | 'eur' | 'degree' | 'l' | 'wh' | 'm2_per_h';

/** A fixed format that a text must match. */
export type Format = 'digits' | 'two_letters' | 'code_name' | 'time_zone' | 'serial' | 'key_rule';

/**
 * Where a value is stored.
 * - `row`: in a column of the entity's table.
 * - `state`: in a column of the side table `<entity>_state`. For values that telemetry or log-ins write often, because
 *   such writes must not touch the row that people edit.
 * - `derived`: nowhere; the entity's hooks supply an SQL expression.
 */
export type Store = 'row' | 'state' | 'derived';

export interface Options {
  /** `form`: required in the form, optional for other clients of the API. */
  required?: boolean | 'form';
  /** Required unless the named field has a value. */
  requiredWithout?: string;
  /** No two rows have the same value, except deleted rows. `email` ignores case. */
  unique?: boolean;
  /**
   * Permission code required to read the field. Without it the field is absent from responses, exports, filters, sorts
   * and forms.
   */
  read?: string;
  /** Permission code that allows changing this field without `<entity>.edit`. */
  edit?: string;
  /** `false`: read-only for clients. */
  write?: false;
  store?: Store;
  /**
   * Of `state`: written with every message. The column has no index, since PostgreSQL would then add an entry to each
   * index of the table with every write; sorts and filters read the whole table.
   */
  volatile?: true;
  default?: string | number | boolean;
  unit?: Unit;
  /** The values of several rows may be summed: true for costs, areas and hours; not for limits, shares or positions. */
  additive?: true;
  /** Shows a sentence below the input: `resources.<entity>.help.<field>` of the texts. */
  help?: boolean;
  min?: number;
  max?: number;
  format?: Format;
  /** Of responses only: a JSON value of arbitrary type, such as a former value of a field of another entity. */
  json?: true;
  /** Name of the field that this one must equal; for a repeated password. */
  same?: string;
}

/** A declared field. `Value` is its JSON type and exists for the compiler only. */
export interface Field<K extends Kind = Kind, Value = unknown> extends Options {
  kind: K;
  /** Phantom: never set. */
  value?: Value;
  choices?: readonly string[];
  /**
   * Of `choice`: clients may send any word (`normalizeChoices`). `choose` maps it to a choice, and the text field `raw`
   * keeps the word.
   */
  normalize?: { raw: string; choose(word: string): string };
  /** Of `ref`, `refs` and `many`: name of the target entity. */
  to?: string;
  /** Of a derived `ref`: the relation of this entity that leads to it, such as `fleet` for the client of a machine. */
  through?: string;
  /**
   * Of `ref`: `cascade` soft-deletes the row together with its target. Otherwise, the target cannot be deleted as long
   * as this row exists.
   */
  onDelete?: 'cascade';
  /** Of `many`: the path on the other entity that leads back, such as `fleet.client_id`. */
  back?: string;
  /** Of `many`: a hook of the entity adds a further condition on the rows. */
  narrowed?: boolean;
  /** Of `json`: the shape that the value must have. */
  shape?: ShapeName;
  /** Of `records`: the fields of each record. */
  of?: Record<string, Field>;
}

type Value<O extends Options, T> = O extends { required: true } | { default: string | number | boolean } ? T : T | null;
type BuiltField<K extends Kind, O extends Options, T> = Field<K, Value<O, T>> & { write?: O['write'] };

function build<K extends Kind, T>(kind: K) {
  return <const O extends Options>(options?: O): BuiltField<K, O, T> => ({ kind, ...options }) as BuiltField<K, O, T>;
}

/** One line of text, stored byte for byte; at most 255 characters, or `max`. */
export const text = build<'text', string>('text');
/** Several lines of text, at most 10,000 characters. */
export const longtext = build<'longtext', string>('longtext');
export const email = build<'email', string>('email');
export const phone = build<'phone', string>('phone');
/** `#rrggbb`. */
export const color = build<'color', string>('color');
export const integer = build<'integer', number>('integer');
/** A floating point number. */
export const number = build<'number', number>('number');
/** EUR with two decimals, exact: a decimal string in JSON, `numeric(12,2)` in the database. */
export const money = build<'money', string>('money');
export const boolean = build<'boolean', boolean>('boolean');
/** A calendar day: `YYYY-MM-DD` in JSON, dd.mm.yyyy for people. */
export const date = build<'date', string>('date');
/** A moment in ISO 8601 with `Z`. */
export const instant = build<'instant', string>('instant');
/** A list of short texts. */
export const tags = build<'tags', string[]>('tags');
/** Opening hours. Text sent by clients is parsed as people write hours; whatever cannot be parsed becomes the note. */
export const openingHours = build<'hours', Hours>('hours');
/** A JSON object or array of the named shape, stored as `jsonb`. Text sent by clients is parsed as JSON. */
export const jsonField = <const O extends Options>(shape: ShapeName, options?: O) =>
  ({ kind: 'json', shape, ...options }) as BuiltField<'json', O, object>;
/**
 * A PNG or JPEG image under 2 MB, sent as a file of a multipart form. Alternatively the URL of an image, stored as text
 * and never fetched.
 */
export const image = build<'image', string>('image');
/** Write-only. */
export const password = build<'password', never>('password');

/** One of a closed set of words. */
export const choice = <
  const C extends readonly string[],
  const O extends Options & { normalize?: NonNullable<Field['normalize']> },
>(
  choices: C,
  options?: O,
) => ({ kind: 'choice', choices, ...options }) as BuiltField<'choice', O, C[number]> & { choices: C };

/** The id of a row of another entity. `through` makes it derived: it is read along that relation and never written. */
export const ref = <const T extends string, const O extends Options & { through?: string; onDelete?: 'cascade' }>(
  to: T,
  options?: O,
) =>
  ({ kind: 'ref', to, ...(options?.through ? { write: false, store: 'derived' } : {}), ...options }) as BuiltField<
    'ref',
    O,
    number
  > & { to: T };

/** Ids of rows of another entity, stored in the link table `<entity>_<to>`. */
export const refs = <const T extends string, const O extends Options>(to: T, options?: O) =>
  ({ kind: 'refs', to, ...options }) as Field<'refs', number[]> & { to: T };

/** The rows of another entity that refer to this one by `back`. Sent only if included; counted as `<name>Count`. */
export const many = <const T extends string>(to: T, back: string, options?: { narrowed?: boolean }) =>
  ({ kind: 'many', to, back, write: false, store: 'derived', ...options }) as Field<'many', never> & { to: T };

/** A list of small records that are not rows of an entity; the entity's hooks store them. */
export const records = <const R extends Record<string, Field>>(fields: R, options?: Options) =>
  ({ kind: 'records', of: fields, store: 'derived', ...options }) as Field<
    'records',
    { [K in keyof R]: NonNullable<R[K]['value']> }[]
  >;
