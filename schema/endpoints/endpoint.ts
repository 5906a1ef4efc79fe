/**
 * Declares API calls beyond CRUD as data, by `METHOD /path`. Requests use the fields of entities, so that problems are
 * reported in the reader's language; responses are JSON Schemas built with TypeBox. Handlers, pages and OpenAPI derive
 * their types from here. Pages import types only, so browsers load no schema.
 */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { EntityName, Registry } from '..';
import type { Row } from '../dsl/entity';
import type { Field } from '../dsl/field';

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type FieldTable = Readonly<Record<string, Field>>;

/**
 * Parameters of the list dialect that an endpoint reads. `page` includes `per_page` and its other spellings; `q` is the
 * search text.
 */
export type DialectParameter = 'filter' | 'sort' | 'include' | 'fields' | 'page' | 'q';
export const wholeDialect = ['filter', 'sort', 'include', 'fields', 'page'] as const;

/**
 * A declared call. The checks run in the order of these properties: 401 or 403, then 404 for path and row, then 422 for
 * query and body.
 */
export interface Endpoint {
  summary: string;
  tag: string;
  /** Needs no session. */
  public?: true;
  /** Closed to API tokens and during impersonation: 403. */
  interactive?: true;
  /** Wall tokens may call it; they may not call endpoints without this property. */
  wall?: true;
  /** Changes nothing although it is not a GET; allowed during impersonation. */
  reads?: true;
  /** Reads much and writes nothing, so a replica may serve it if it contains everything committed before. */
  replica?: true;
  /** Permission codes, all of which are required: 403. */
  permission?: string | readonly string[];
  /** Path parameters other than ids. */
  params?: FieldTable;
  /** Entity of `{id}`; 404 unless the caller may see the row. */
  row?: EntityName;
  /** Query parameters; an empty one counts as missing. A GET with any other parameter gets 400. */
  query?: FieldTable;
  /** Query parameters of the list dialect, read by the handler. */
  dialect?: readonly DialectParameter[];
  /** Fields of a JSON object or a form. */
  body?: FieldTable;
  /** Entity whose labels messages use for fields of query and body. */
  labels?: EntityName;
  /** A body that is not an object of fields; the handler must read and validate it. */
  payload?: TSchema;
  /** Accepts a multipart form with a file in its field `file`. */
  upload?: true;
  /** Uses a bearer token other than a session; names its security scheme in OpenAPI. */
  security?: 'device';
  /** Defaults to 200, or to 204 without `response` and `media`. */
  status?: 200 | 201 | 202 | 204 | 302;
  response?: TSchema;
  /** Media type of a response that is not JSON. The handler sends it, as it does redirects. */
  media?: string | readonly string[];
  /** Statuses of possible errors. */
  refuses: readonly number[];
}

/** Returns the endpoints with their exact types. */
export const defineEndpoints = <const E extends Record<`${EndpointMethod} /${string}`, Endpoint>>(endpoints: E): E =>
  endpoints;

/** Schema of a row in responses, which refers to the components of the document. */
export const rowOf = <N extends EntityName>(name: N) =>
  Type.Unsafe<Row<Registry[N]>>({ $ref: `#/components/schemas/${name}` });
/** Schema of a response with the property `data`. */
export const dataOf = <S extends TSchema>(data: S): TObject<{ data: S }> => Type.Object({ data });
const link = Type.Union([Type.String(), Type.Null()]);
const position = Type.Union([Type.Integer(), Type.Null()]);
/** Schema of a page of a list. */
export const pageOf = <S extends TSchema>(row: S) => pagedDataOf(Type.Array(row));
/** Schema of an object whose contents come in pages. */
export const pagedDataOf = <S extends TSchema>(data: S) =>
  Type.Object({
    data,
    links: Type.Object({ first: link, last: link, prev: link, next: link }),
    meta: Type.Object({
      current_page: Type.Integer(),
      from: position,
      last_page: Type.Integer(),
      path: Type.String(),
      per_page: Type.Integer(),
      to: position,
      total: Type.Integer(),
    }),
    current_page: Type.Integer(),
    last_page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
  });
/** Schema for each of the names. */
export const each = <const N extends string, S extends TSchema>(names: readonly N[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const oneOf = <const N extends string>(names: readonly N[]) =>
  Type.Unsafe<N>({ type: 'string', enum: [...names] });

/** An object with any properties. */
export const anyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

export const idSchema = Type.Integer({ minimum: 1 });
export const countSchema = Type.Integer({ minimum: 0 });
/** Square metres of `area_m2` that makers reported or people entered; the rest is derived from the timeline. */
export const reported_area_m2 = Type.Number({ minimum: 0, description: 'm2 that were reported or entered' });
/** ISO 8601 with `Z`. */
export const instantSchema = Type.String({ format: 'date-time' });
/** `YYYY-MM-DD`. */
export const daySchema = Type.String({ format: 'date' });

type ValueOf<F> = F extends { kind: 'password' }
  ? string
  : F extends { value?: infer V }
    ? Exclude<V, undefined>
    : never;
/** Names of fields that always have a value, because they are required or have a default. */
type FilledName<F> = { [K in keyof F]: null extends ValueOf<F[K]> ? never : K }[keyof F];
type FieldValues<F> = { [K in FilledName<F>]: ValueOf<F[K]> } & {
  [K in Exclude<keyof F, FilledName<F>>]?: ValueOf<F[K]>;
};

type ParamName<P> = P extends `${string}{${infer N}}${infer Rest}` ? N | ParamName<Rest> : never;
type ParamsOf<K, E> = { [N in ParamName<K>]: E extends { params: Record<N, Field> } ? string : number };

/** Validated input of a handler. */
export interface ValidInput<K, E> {
  params: ParamsOf<K, E>;
  query: E extends { query: infer Q } ? FieldValues<Q> : unknown;
  body: E extends { body: infer B } ? FieldValues<B> : unknown;
}

/** Input that a client sends. Ids may be text; `search` is a printed list query. */
export type SentInput<K, E> = ([ParamName<K>] extends [never]
  ? unknown
  : { params: { [N in ParamName<K>]: string | number } }) &
  (E extends { query: infer Q } ? { query?: { [N in keyof Q]?: ValueOf<Q[N]> | null } } : unknown) &
  (E extends { dialect: readonly string[] } ? { search?: string } : unknown) &
  (E extends { body: infer B } ? { body: FieldValues<B> } : unknown) &
  (E extends { payload: infer P extends TSchema } ? { body: Static<P> } : unknown) &
  (E extends { upload: true } ? { form: FormData } : unknown);

/** Body that a client receives; `undefined` for 204. */
export type ResponseBody<E> = E extends { response: infer S extends TSchema } ? Static<S> : undefined;

/** What a handler returns; Fastify prints a Date as ISO 8601. */
export type Printable<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends readonly (infer U)[]
    ? readonly Printable<U>[]
    : T extends object
      ? { [K in keyof T]: Printable<T[K]> }
      : T;
