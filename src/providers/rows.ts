/**
 * Reads and writes rows of entities outside react-admin's hooks. Types follow the declaration and the requested fields.
 */
import type { EntityName, Registry } from '../../schema';
import type { Row } from '../../schema/dsl/entity';
import { type ListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { api } from './http';

type Fields<N extends EntityName> = Registry[N]['fields'];

/** The type-level counterpart of `relationName`. */
type RelationName<K, F> = F extends { kind: 'ref' }
  ? K extends `${infer R}_id`
    ? R
    : K
  : F extends { kind: 'refs'; to: infer T }
    ? T
    : F extends { kind: 'many' }
      ? K
      : never;
type Related<F> = F extends { kind: infer K; to: infer T extends EntityName }
  ? K extends 'ref'
    ? Row<Registry[T]> | null
    : Row<Registry[T]>[]
  : never;
type Relations<F> = { [K in keyof F as RelationName<K, F[K]> & string]: Related<F[K]> };

type FieldName<N extends EntityName> = keyof Row<Registry[N]> & string;
type IncludeName<N extends EntityName> = keyof Relations<Fields<N>> & string;
/** A row with the selected fields and included relations. */
export type ProjectedRow<N extends EntityName, F extends FieldName<N>, I extends IncludeName<N>> = Pick<
  Row<Registry[N]>,
  F
> &
  Pick<Relations<Fields<N>>, I>;

/** Without `fields`, returns all fields. */
interface RowRequest<F, I> {
  fields?: readonly F[];
  include?: readonly I[];
  signal?: AbortSignal;
}
type RowsRequest<F, I> = RowRequest<F, I> & Partial<Pick<ListQuery, 'page' | 'per_page' | 'sort' | 'filter'>>;

interface RowsPage<R> {
  data: R[];
  total: number;
  current_page: number;
  last_page: number;
}

/** @throws HttpError as `api` does */
export function fetchRow<N extends EntityName, F extends FieldName<N> = FieldName<N>, I extends IncludeName<N> = never>(
  resource: N,
  id: number | string,
  { signal, ...query }: RowRequest<F, I> = {},
): Promise<{ data: ProjectedRow<N, F, I> }> {
  return api(addressOf(`${resource}/${encodeURIComponent(id)}`, resource, query), { signal });
}

/** @throws HttpError as `api` does */
export function fetchRows<
  N extends EntityName,
  F extends FieldName<N> = FieldName<N>,
  I extends IncludeName<N> = never,
>(resource: N, { signal, ...query }: RowsRequest<F, I> = {}): Promise<RowsPage<ProjectedRow<N, F, I>>> {
  return api(addressOf(resource, resource, query), { signal });
}

/** Creates a row and returns its id. @throws HttpError as `api` does */
export async function addRow(resource: EntityName, body: object): Promise<number> {
  const { data }: { data: { id: number } } = await api(resource, { method: 'POST', body });
  return data.id;
}

/** `If-Match`: the server answers 412 if the row has another version. */
const matchHeaders = (version: number | undefined): Record<string, string> =>
  version === undefined ? {} : { 'If-Match': `"${version}"` };

/** Soft-deletes a row; with `version` only if it is still current (else 412). @throws HttpError as `api` does */
export const deleteRow = (resource: EntityName, id: number, version?: number): Promise<void> =>
  api(`${resource}/${id}`, { method: 'DELETE', headers: matchHeaders(version) });

/**
 * Changes fields of a row; sends a form if the body contains files. With `version` only if it is still current (else
 * 412). @throws HttpError as `api` does
 */
export function patchRow(resource: EntityName, id: number, body: object, version?: number): Promise<void> {
  const headers = matchHeaders(version);
  return body instanceof FormData
    ? api(`${resource}/patch/${id}`, { method: 'POST', form: body, headers })
    : api(`${resource}/${id}`, { method: 'PATCH', body, headers });
}

function addressOf(path: string, resource: string, { fields, include, ...list }: RowsRequest<string, string>): string {
  const search = printListQuery({
    ...list,
    include: [...(include ?? [])],
    fields: fields ? { [resource]: [...fields] } : {},
  });
  return search ? `${path}?${search}` : path;
}
