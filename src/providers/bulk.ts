/** Bulk calls of the API with target, progress and undo. */
import { HttpError, type Identifier } from 'ra-core';
import type { Entity } from '../../schema/dsl/entity';
import type { Tally } from '../../schema/endpoints/entityCalls';
import { bodyOf } from './bodyOf';
import { call } from './call';
import { type Filters, filterOf } from './filters';
import { fetchApi, readChunks } from './http';

/** The rows to change: given by id, or all that match a filter. */
export interface BulkTarget {
  ids: readonly Identifier[];
  /** Used instead of the ids. */
  filter?: Filters;
  count: number;
}

export interface Undo {
  ids?: readonly number[];
  changes?: readonly object[];
}

export interface BulkWorkResult {
  count: number;
  /** The request that restores the former values; absent if it would be too large. */
  undo?: Undo;
}

/** A row that made the server reject the whole request. */
export interface RefusedRow {
  id: number;
  name: string;
  message: string;
  /** Counts of the rows that reference it. */
  uses?: readonly UseCount[];
}

/** Number of rows of a resource that reference the rejected row by one field. */
export interface UseCount {
  resource: string;
  field: string;
  count: number;
}

export interface ProgressHandler {
  progress(count: number, total: number): void;
  signal?: AbortSignal;
}

/** Request body of a target. */
export const targetBody = (entity: Entity, { ids, filter }: BulkTarget): object =>
  filter ? { filter: Object.fromEntries(filterOf(entity, filter).map(({ path, values }) => [path, values])) } : { ids };

interface Change {
  /** New values for all rows. */
  data?: Record<string, unknown>;
  /** Related rows to add, by link field. */
  add?: Record<string, object>;
  remove?: Record<string, object>;
}

export const changeMany = (
  entity: Entity,
  target: BulkTarget,
  { data, ...links }: Change,
  onProgress: ProgressHandler,
): Promise<BulkWorkResult> =>
  sendWithProgress(
    entity.name,
    { method: 'PUT', body: { ...targetBody(entity, target), ...(data && { data: bodyOf(entity, data) }), ...links } },
    onProgress,
  );
export const deleteMany = (entity: Entity, target: BulkTarget, onProgress: ProgressHandler): Promise<BulkWorkResult> =>
  sendWithProgress(entity.name, { method: 'DELETE', body: targetBody(entity, target) }, onProgress);
export const restoreMany = (entity: Entity, target: BulkTarget, onProgress: ProgressHandler): Promise<BulkWorkResult> =>
  sendWithProgress(`${entity.name}/restore`, { method: 'POST', body: targetBody(entity, target) }, onProgress);
export const purgeMany = (entity: Entity, target: BulkTarget, onProgress: ProgressHandler): Promise<BulkWorkResult> =>
  sendWithProgress(`${entity.name}?permanent=1`, { method: 'DELETE', body: targetBody(entity, target) }, onProgress);
/** Restores the values that a bulk change replaced. */
export const undoBulk = (entity: Entity, { changes }: Undo, onProgress: ProgressHandler): Promise<BulkWorkResult> =>
  sendWithProgress(entity.name, { method: 'PUT', body: { changes } }, onProgress);

/** Counts the rows of the target by the value of the field `fieldName`. */
export const previewBulk = async (entity: Entity, target: BulkTarget, fieldName: string): Promise<Tally> =>
  call('POST /{resource}/tally', {
    params: { resource: entity.name },
    body: { ...targetBody(entity, target), by: fieldName },
  });

type Line = Partial<BulkWorkResult> & { done?: number; of?: number; status?: number; message?: string };

/** Sends a bulk request and reports its progress. @throws HttpError, whose body names the rows with errors */
async function sendWithProgress(
  path: string,
  request: { method: 'PUT' | 'POST' | 'DELETE'; body: object },
  { progress, signal }: ProgressHandler,
): Promise<BulkWorkResult> {
  const response = await fetchApi(path, { ...request, signal, headers: { Accept: 'application/x-ndjson' } });
  let last: Line = {};
  for await (const line of linesOf(response)) {
    last = line;
    if (line.done !== undefined && line.of !== undefined) progress(line.done, line.of);
  }
  if (last.count !== undefined) return { count: last.count, undo: last.undo };
  throw new HttpError(last.message ?? 'errors.network', last.status ?? 0, last);
}

async function* linesOf(response: Response): AsyncGenerator<Line> {
  let unparsed = '';
  for await (const chunk of readChunks(response.body?.pipeThrough(new TextDecoderStream()))) {
    const lines = `${unparsed}${chunk}`.split('\n');
    unparsed = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
  if (unparsed !== '') yield JSON.parse(unparsed) as Line;
}
