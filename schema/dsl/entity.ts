/** What an entity declares, and `entity()` which completes it. */
import { type Field, instant, integer } from './field';

/** What may be done to an entity. A permission's code name is `<entity>.<action>`. */
export const actions = ['list', 'show', 'create', 'edit', 'delete', 'import', 'export'] as const;
export type Action = (typeof actions)[number];

/** The six roles of the specification, from the widest to the narrowest. */
export const roleNames = ['admin', 'country_manager', 'partner', 'customer_admin', 'site_manager', 'operator'] as const;
export type RoleName = (typeof roleNames)[number];

/**
 * What a role may do by default: `all` seven actions, `write` (all but delete), `read` (list and show), `none`,
 * or a list of actions and of special ones of this entity.
 */
export type Grant = 'all' | 'write' | 'read' | 'none' | readonly string[];

/** Paths to ids of fleets, locations and machines; a row is reached when any of them is linked to the user. */
export interface SitePaths {
  fleet?: string;
  location?: string;
  machine?: string;
}

/**
 * How far each kind of role reaches, as paths from a row to the id that decides. `global`: everybody who may list sees
 * all rows. A kind without a path sees nothing: closed by default.
 */
export interface Scope {
  country?: string;
  /** For the kinds `client` and `partner`. */
  client?: string;
  site?: SitePaths;
  machine?: SitePaths;
  /** Path to the id of the user to whom the row belongs, whatever their roles. */
  self?: string;
}

/**
 * Rows put together by something that is no field: words that `server/entities/<entity>.ts` finds for a row, or how
 * many rows of a `many` there are, as the lower bounds of the ranges. Filtered and counted by their name, never part of
 * a row.
 */
export type Bucket = readonly string[] | { of: string; from: readonly number[] };

/** The same shape for every entity, for code that runs over all of them. */
export interface Entity {
  name: string;
  /** The field that names a row in links, pickers and messages. */
  title: string;
  /** How a row is called when one field does not suffice, in the order printed; defaults to `[title]`. */
  titles: readonly string[];
  /** Every field, the common ones (`id`, `created_at`, `updated_at`, `version`) included. */
  fields: Record<string, Field>;
  list: {
    columns: readonly string[];
    sort: string;
    search: readonly string[];
    filters: readonly string[];
    facets: readonly string[];
    hidden: readonly string[];
  };
  buckets: Record<string, Bucket>;
  /** Groups of the form and of the page of one row, in order: group name to field names. */
  form: Record<string, readonly string[]>;
  grants: Record<RoleName, Grant>;
  /**
   * `record`: a row is about the row that its fields `entity` and `record_id` name, and is seen by whoever sees that
   * one.
   * `shared`: a row is its owner's (`user_id`) and whose client (`client_id`) or role (`role_id`) it was shared with.
   */
  scope: Scope | 'global' | 'record' | 'shared';
  /** Further permission codes of this entity, as `<action>` words: `command`. */
  special: readonly string[];
  /** Other names under which the API serves it. */
  alias: readonly string[];
  /**
   * How rows come in from files: the fields that together say which row is meant, and those that a file may fill, in
   * the order of its template.
   */
  imports: { match: readonly string[]; columns: readonly string[] };
}

type Names<F> = Extract<keyof F, string>;

/** What a file in `schema/entities` writes down. Field names are checked; paths are checked by a test. */
export interface Declaration<F extends Record<string, Field>, B extends Record<string, Bucket>> {
  title: NoInfer<Names<F>>;
  titles?: readonly NoInfer<Names<F>>[];
  fields: F;
  list: {
    /** Columns shown at first. */
    columns: readonly (NoInfer<Names<F>> | keyof Common)[];
    /** Columns that can be switched on; default: every other readable field. */
    hidden?: readonly (NoInfer<Names<F>> | keyof Common)[];
    /** Field, or path over relations; a leading '-' sorts descending. */
    sort: string;
    /** Fields and paths that `filter[search]` looks through. */
    search: readonly string[];
    /** Filters offered in the page; every field and relation path can be filtered by through the API. */
    filters?: readonly string[];
    /** Own fields and buckets whose values are counted above the list, the most asked first. */
    facets?: readonly (NoInfer<Names<F>> | NoInfer<Extract<keyof B, string>>)[];
  };
  buckets?: B;
  form?: Record<string, readonly NoInfer<Names<F>>[]>;
  grants: Record<RoleName, Grant>;
  scope: Scope | 'global' | 'record' | 'shared';
  special?: readonly string[];
  alias?: readonly string[];
  imports?: { match?: readonly NoInfer<Names<F>>[]; columns?: readonly NoInfer<Names<F>>[] };
}

const identity = { id: integer({ required: true, write: false }) };
const tracked = {
  created_at: instant({ required: true, write: false }),
  updated_at: instant({ required: true, write: false }),
  version: integer({ required: true, write: false }),
};
type Common = typeof identity & typeof tracked;

/** An entity with the exact types of its fields, for code about this one entity. */
export interface Declared<
  N extends string,
  F extends Record<string, Field>,
  B extends Record<string, Bucket> = Record<never, Bucket>,
> extends Entity {
  name: N;
  fields: F & Common;
  buckets: B;
}

/** A row as JSON carries it. */
export type Row<E> = E extends { fields: infer F }
  ? {
      [K in keyof F as F[K] extends Field<'many' | 'password'> ? never : K]: F[K] extends { value?: infer V }
        ? Exclude<V, undefined>
        : never;
    }
  : never;

/** Completes a declaration: common fields, form groups, list defaults. */
export function entity<
  const N extends string,
  const F extends Record<string, Field>,
  const B extends Record<string, Bucket> = Record<never, Bucket>,
>(name: N, declaration: Declaration<F, B>): Declared<N, F, B> {
  const { title, fields, list } = declaration;
  const written = Object.keys(fields).filter((field) => fields[field]?.write !== false);
  const shown = Object.keys(fields).filter(
    (field) => !['many', 'password', 'records'].includes(fields[field]?.kind ?? ''),
  );
  return {
    ...declaration,
    name,
    titles: declaration.titles ?? [title],
    fields: { ...identity, ...fields, ...tracked },
    list: {
      ...list,
      filters: list.filters ?? [],
      facets: list.facets ?? [],
      hidden:
        list.hidden ??
        [...shown, 'created_at', 'updated_at'].filter((field) => !(list.columns as readonly string[]).includes(field)),
    },
    buckets: declaration.buckets ?? ({} as B),
    form: (declaration.form as Record<string, readonly string[]> | undefined) ?? { main: written },
    special: declaration.special ?? [],
    alias: declaration.alias ?? [],
    imports: {
      match: declaration.imports?.match ?? [title],
      columns:
        declaration.imports?.columns ??
        importable(fields, declaration.form as Record<string, readonly string[]> | undefined),
    },
  };
}

/** What people may write, but for passwords, which have no place in a file: first in the order of the form. */
function importable(fields: Record<string, Field>, form: Record<string, readonly string[]> = {}): string[] {
  const taken = ([, { kind, write }]: [string, Field]) => write !== false && kind !== 'password' && kind !== 'many';
  const names = Object.entries(fields)
    .filter(taken)
    .map(([name]) => name);
  return [...new Set([...Object.values(form).flat(), ...names])].filter((name) => names.includes(name));
}

/**
 * Whether clients can make rows of their own: not where a required field is filled in by another call, as a document's
 * machine is.
 */
export function isCreatable({ fields }: Entity): boolean {
  return !Object.entries(fields).some(
    ([name, field]) => field.required === true && field.write === false && !(name in identity || name in tracked),
  );
}

/** Whether the server alone writes its rows: no call changes them, and no permission to do so exists. */
export const isReadOnly = ({ fields }: Entity): boolean => Object.values(fields).every(({ write }) => write === false);
