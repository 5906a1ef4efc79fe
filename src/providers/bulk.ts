/** Bulk calls of the API: target, progress, undo. */
import { HttpError, type Identifier } from 'ra-core';
import type { Entity } from '../../schema/dsl/entity';
import type { Tally } from '../../schema/endpoints/entityCalls';
import { bodyOf } from './bodyOf';
import { call } from './call';
import { type Filters, filterOf } from './filters';
import { fetchApi, readChunks } from './http';

/** The rows to work on: some by id, or all that match. */
export interface BulkTarget {
  ids: readonly Identifier[];
  /** Instead of the ids. */
  filter?: Filters;
  count: number;
}

export interface Undo {
  ids?: readonly number[];
  changes?: readonly object[];
}

export interface BulkWorkResult {
  count: number;
  /** Request that restores the former values; absent if it would be too large. */
  undo?: Undo;
}

/** A row that prevented the whole work. */
export interface RefusedRow {
  id: number;
  name: string;
  message: string;
  /** References to it. */
  uses?: readonly UseCount[];
}

/** Rows of a resource that reference the refused one by a field. */
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
  /** Rows to add, by link field. */
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
/** Restores the values from before a bulk change. */
export const undoBulk = (entity: Entity, { changes }: Undo, onProgress: ProgressHandler): Promise<BulkWorkResult> =>
  sendWithProgress(entity.name, { method: 'PUT', body: { changes } }, onProgress);

/** Counts the rows by what they belong to now. */
export const previewBulk = async (entity: Entity, target: BulkTarget, by: string): Promise<Tally> =>
  call('POST /{resource}/tally', { params: { resource: entity.name }, body: { ...targetBody(entity, target), by } });

type Line = Partial<BulkWorkResult> & { done?: number; of?: number; status?: number; message?: string };

/** Sends bulk work and reports its progress. @throws HttpError, whose body names the rows with errors */
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
  for await (const part of readChunks(response.body?.pipeThrough(new TextDecoderStream()))) {
    const lines = `${unparsed}${part}`.split('\n');
    unparsed = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
  if (unparsed !== '') yield JSON.parse(unparsed) as Line;
}
