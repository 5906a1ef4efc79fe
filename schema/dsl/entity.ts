/** Declarations of entities, and `entity()`, which completes them. */
import { type Field, instant, integer } from './field';

/** Actions on an entity. The code name of a permission is `<entity>.<action>`. */
export const actions = ['list', 'show', 'create', 'edit', 'delete', 'import', 'export'] as const;

/** The six roles of the specification, from the widest to the narrowest. */
export const roleNames = ['admin', 'country_manager', 'partner', 'customer_admin', 'site_manager', 'operator'] as const;
export type RoleName = (typeof roleNames)[number];

/**
 * Default permissions of a role: `all` actions, `write` (all but delete), `read` (list and show), `none`, or a list of
 * actions and special actions of this entity.
 */
export type Grant = 'all' | 'write' | 'read' | 'none' | readonly string[];

/** Paths to ids of fleets, locations and machines. A row is in scope if the user is linked to any of these ids. */
export interface SitePaths {
  fleet?: string;
  location?: string;
  machine?: string;
}

/**
 * Scope for each kind of role, as paths from a row to an id to which the user must be linked. `global`: everybody with
 * the list permission sees all rows. Closed by default: a kind without a path sees no rows.
 */
export interface Scope {
  country?: string;
  /** For the kinds `client` and `partner`. */
  client?: string;
  /** One or more sets of paths to the places of a row. */
  site?: SitePaths | readonly SitePaths[];
  machine?: SitePaths | readonly SitePaths[];
  /** Path to the id of the user who owns the row, independent of roles. */
  self?: string;
}

/**
 * A grouping of rows that is not a field: words that the entity's hooks compute per row, or the number of rows of a
 * `many`, in ranges given by their lower bounds. Filtered and counted by name, never part of a row.
 */
export type Bucket = readonly string[] | { of: string; from: readonly number[] };

/** A completed declaration, with the same type for every entity, for code that runs over all of them. */
export interface Entity {
  name: string;
  /** The field that identifies a row to people in links, pickers and messages. */
  title: string;
  /**
   * The fields that together identify a row to people if one does not suffice, in print order; defaults to `[title]`.
   */
  titles: readonly string[];
  /** All fields, including the common ones (`id`, `created_at`, `updated_at`, `version`). */
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
  /** Groups of fields in the form and on the page of a row, in order: name of the group to names of its fields. */
  form: Record<string, readonly string[]>;
  grants: Record<RoleName, Grant>;
  /**
   * `record`: a row describes the row named by its fields `entity` and `record_id`, and is visible to callers
   * who see that row.
   * `shared`: a row is visible to its owner (`user_id`) and to the client (`client_id`) or role (`role_id`) it is
   * shared with.
   */
  scope: Scope | 'global' | 'record' | 'shared';
  /** Further actions with a permission code of their own. */
  special: readonly string[];
  /** Other names under which the API serves the entity. */
  alias: readonly string[];
  /**
   * Import settings: the fields that together identify a row, and the fields that a file may fill, in the order of the
   * template.
   */
  imports: { match: readonly string[]; columns: readonly string[] };
}

type Names<F> = Extract<keyof F, string>;

/** A declaration as written in `schema/entities`. The compiler checks names of fields; a test checks paths. */
export interface Declaration<F extends Record<string, Field>, B extends Record<string, Bucket>> {
  title: NoInfer<Names<F>>;
  titles?: readonly NoInfer<Names<F>>[];
  fields: F;
  list: {
    /** Columns shown by default. */
    columns: readonly (NoInfer<Names<F>> | keyof CommonFields)[];
    /** Columns that users can show; defaults to every other readable field. */
    hidden?: readonly (NoInfer<Names<F>> | keyof CommonFields)[];
    /** Field, or path along relations. A leading '-' sorts in descending order. */
    sort: string;
    /** Fields and paths that `filter[search]` searches. */
    search: readonly string[];
    /** Filters offered on the page. The API filters by every field and relation path. */
    filters?: readonly string[];
    /** Fields and buckets whose values are counted above the list, the most frequent value first. */
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

const identityFields = { id: integer({ required: true, write: false }) };
const trackedFields = {
  created_at: instant({ required: true, write: false }),
  updated_at: instant({ required: true, write: false }),
  version: integer({ required: true, write: false }),
};
type CommonFields = typeof identityFields & typeof trackedFields;

/** An entity with the exact types of its fields, for code about this one entity. */
export interface DeclaredEntity<
  N extends string,
  F extends Record<string, Field>,
  B extends Record<string, Bucket> = Record<never, Bucket>,
> extends Entity {
  name: N;
  fields: F & CommonFields;
  buckets: B;
}

/** A row as JSON. */
export type Row<E> = E extends { fields: infer F }
  ? {
      [K in keyof F as F[K] extends Field<'many' | 'password'> ? never : K]: F[K] extends { value?: infer V }
        ? Exclude<V, F[K] extends Field<'tags'> ? undefined | null : undefined>
        : never;
    }
  : never;

/** Completes a declaration: adds common fields, form groups, and defaults of the list. */
export function entity<
  const N extends string,
  const F extends Record<string, Field>,
  const B extends Record<string, Bucket> = Record<never, Bucket>,
>(name: N, declaration: Declaration<F, B>): DeclaredEntity<N, F, B> {
  const { title, fields, list } = declaration;
  const writableNames = Object.keys(fields).filter((field) => fields[field]?.write !== false);
  const visibleNames = Object.keys(fields).filter(
    (field) => !['many', 'password', 'records'].includes(fields[field]?.kind ?? ''),
  );
  return {
    ...declaration,
    name,
    titles: declaration.titles ?? [title],
    fields: { ...identityFields, ...fields, ...trackedFields },
    list: {
      ...list,
      filters: list.filters ?? [],
      facets: list.facets ?? [],
      hidden:
        list.hidden ??
        [...visibleNames, 'created_at', 'updated_at'].filter(
          (field) => !(list.columns as readonly string[]).includes(field),
        ),
    },
    buckets: declaration.buckets ?? ({} as B),
    form: (declaration.form as Record<string, readonly string[]> | undefined) ?? { main: writableNames },
    special: declaration.special ?? [],
    alias: declaration.alias ?? [],
    imports: {
      match: declaration.imports?.match ?? [title],
      columns:
        declaration.imports?.columns ??
        importableNames(fields, declaration.form as Record<string, readonly string[]> | undefined),
    },
  };
}

/** Returns the writable fields in the order of the form, without passwords, which do not belong in a file. */
function importableNames(fields: Record<string, Field>, form: Record<string, readonly string[]> = {}): string[] {
  const isImportable = ([, { kind, write }]: [string, Field]) =>
    write !== false && kind !== 'password' && kind !== 'many';
  const names = Object.entries(fields)
    .filter(isImportable)
    .map(([name]) => name);
  return [...new Set([...Object.values(form).flat(), ...names])].filter((name) => names.includes(name));
}

/**
 * Whether clients can create rows of this entity. They cannot if only another call fills in a required field, such as
 * the machine of a document.
 */
export function isCreatable({ fields }: Entity): boolean {
  return !Object.entries(fields).some(
    ([name, field]) =>
      field.required === true && field.write === false && !(name in identityFields || name in trackedFields),
  );
}

/** Whether only the server writes rows of this entity: then no call changes them, and no permission to do so exists. */
export const isReadOnly = ({ fields }: Entity): boolean => Object.values(fields).every(({ write }) => write === false);
