/** react-admin's data provider in the list dialect of the API (contract, section "Dialect"). */
import type { DataProvider, GetListParams, Identifier, RaRecord } from 'ra-core';
import { HttpError } from 'ra-core';
import type { Entity } from '../../schema/dsl/entity';
import { type ListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { relationName } from '../../schema/dsl/relationName';
import { entities as registered } from '../../schema/index';
import { bodyOf, changesOf } from './bodyOf';
import { filterOf } from './filters';
import { api } from './http';

/** Options of a call in `meta`. */
export interface CallMeta {
  /** Relations and counts to include: `fleet`, `machinesCount`. */
  include?: readonly string[];
  /** Lists only: returns rows with nothing but their ids. */
  sparse?: boolean;
}

interface ListResponse {
  data: RaRecord[];
  total: number;
}

/** Actions on soft-deleted rows. */
export interface TrashActions {
  restore(resource: string, id: Identifier): Promise<void>;
  /** Deletes the row irreversibly. */
  purge(resource: string, id: Identifier): Promise<void>;
}

/** Creates the provider for the given entities. Other resources work, too, but without knowledge of their fields. */
export function dataProviderFor(entities: readonly Entity[]): DataProvider & TrashActions {
  const byName = new Map(entities.map((entity) => [entity.name, entity]));

  const fetchList = async (
    resource: string,
    { pagination, sort, filter, meta, signal }: Partial<GetListParams> & { signal?: AbortSignal },
  ) => {
    const entity = byName.get(resource);
    const { include = [], sparse } = (meta as CallMeta | undefined) ?? {};
    const query: Partial<ListQuery> = {
      page: pagination?.page,
      per_page: pagination?.perPage,
      sort: sort?.field ? [{ path: sort.field, descending: sort.order === 'DESC' }] : [],
      filter: filterOf(entity, filter ?? {}),
      include: [...include],
      fields: sparse ? { [resource]: ['id'] } : titlesOf(entity, include),
    };
    const { data, total }: ListResponse = await api(`${resource}?${printListQuery(query)}`, { signal });
    return { data, total, meta: { prefetched: relatedRows(entity, include, data) } };
  };

  return {
    supportAbortSignal: true,
    getList: fetchList as DataProvider['getList'],
    getOne: async (resource, { id, meta, signal }) => {
      const { data }: { data: never } = await api(`${resource}/${id}${includeQuery(meta)}`, { signal });
      return {
        data,
        meta: { prefetched: relatedRows(byName.get(resource), (meta as CallMeta | undefined)?.include ?? [], [data]) },
      };
    },
    getMany: (async (resource: string, { ids, signal }: { ids: Identifier[]; signal?: AbortSignal }) =>
      fetchList(resource, {
        filter: { id: ids },
        pagination: { page: 1, perPage: Math.max(ids.length, 1) },
        signal,
      })) as DataProvider['getMany'],
    getManyReference: (async (
      resource: string,
      { target, id, filter, ...rest }: Parameters<DataProvider['getManyReference']>[1],
    ) => fetchList(resource, { ...rest, filter: { ...filter, [target]: id } })) as DataProvider['getManyReference'],
    create: async (resource, { data, meta }) => ({
      data: (
        await send<{ data: never }>(`${resource}${includeQuery(meta)}`, 'POST', bodyOf(byName.get(resource), data))
      ).data,
    }),
    update: async (resource, { id, data, previousData, meta }) => {
      const entity = byName.get(resource);
      const version = (previousData as RaRecord | undefined)?.version;
      const headers: Record<string, string> = version === undefined ? {} : { 'If-Match': `"${version}"` };
      const body = bodyOf(entity, changesOf(data, previousData));
      return {
        data: (await send<{ data: never }>(`${resource}/${id}${includeQuery(meta)}`, 'PUT', body, headers)).data,
      };
    },
    updateMany: async (resource, { ids, data }) => {
      await send(resource, 'PUT', { ids, data: bodyOf(byName.get(resource), data) });
      return { data: ids };
    },
    delete: (async (resource: string, { id, previousData }: { id: Identifier; previousData?: RaRecord }) => {
      await api(`${resource}/${id}`, { method: 'DELETE' });
      return { data: previousData ?? { id } };
    }) as DataProvider['delete'],
    deleteMany: async (resource, { ids }) => {
      await send(resource, 'DELETE', { ids });
      return { data: ids };
    },
    restore: async (resource, id) => {
      await api(`${resource}/${id}/restore`, { method: 'POST' });
    },
    purge: async (resource, id) => {
      await api(`${resource}/${id}?permanent=1`, { method: 'DELETE' });
    },
  };
}

/** The provider for the product's entities. */
export const dataProvider = dataProviderFor(registered);

const includeQuery = (meta: CallMeta | undefined) =>
  meta?.include?.length ? `?${printListQuery({ include: [...meta.include] })}` : '';

/** Sparse fields for the included rows of a list, of which only the title is shown. */
function titlesOf(entity: Entity | undefined, include: readonly string[]): Record<string, string[]> {
  const targets = Object.entries(entity?.fields ?? {}).flatMap(([name, field]) =>
    include.includes(relationName(name, field) ?? '') ? [field.to as string] : [],
  );
  const others = registered.filter(({ name }) => targets.includes(name) && name !== entity?.name);
  return Object.fromEntries(
    others.map(({ name, title, titles, fields }) => [
      name,
      [...new Set(['id', title, ...titles, ...markFields.filter((mark) => mark in fields)])],
    ]),
  );
}

/** Fields shown beside a title: a fleet's colour, a language's code. */
const markFields = ['color', 'two_letter_code'];

/**
 * Sends JSON, or a multipart form if the body is one. Converts a 422 to the error that react-admin expects: one message
 * per field.
 */
async function send<T>(
  path: string,
  method: 'POST' | 'PUT' | 'DELETE',
  body: FormData | object,
  headers?: Record<string, string>,
): Promise<T> {
  try {
    return await api(path, body instanceof FormData ? { method, form: body, headers } : { method, body, headers });
  } catch (error) {
    const { status, message, body: responseBody } = error as HttpError;
    if (status !== 422 || !responseBody?.errors) throw error;
    const errors = Object.entries(responseBody.errors as Record<string, string[]>).map(([field, messages]) => [
      field,
      [messages].flat().join(' '),
    ]);
    throw new HttpError(message, status, { ...responseBody, errors: Object.fromEntries(errors) });
  }
}

/** The included rows by resource. React-admin finds references of the page there without further requests. */
function relatedRows(
  entity: Entity | undefined,
  include: readonly string[],
  rows: RaRecord[],
): Record<string, RaRecord[]> {
  const rowsByEntity: Record<string, Map<Identifier, RaRecord>> = {};
  for (const [name, field] of Object.entries(entity?.fields ?? {})) {
    const relation = relationName(name, field);
    if (!field.to || !relation || !include.includes(relation)) continue;
    rowsByEntity[field.to] ??= new Map();
    for (const row of rows)
      for (const related of [row[relation]].flat() as (RaRecord | null | undefined)[])
        if (related) rowsByEntity[field.to]?.set(related.id, related);
  }
  return Object.fromEntries(
    Object.entries(rowsByEntity).map(([resource, related]) => [resource, [...related.values()]]),
  );
}
