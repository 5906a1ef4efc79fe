/** Downloads of a list, as it is seen: columns, order, filters. */
import type { SortPayload } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { printListQuery } from '../../../schema/dsl/query';
import { type Filters, filterOf } from '../../providers/filter';
import { download } from '../../providers/http';
import type { Column } from './columns';

export type FileFormat = 'csv' | 'xlsx';
export interface Wanted {
  format: FileFormat;
  columns: readonly Column[];
  sort: SortPayload;
  filter: Filters;
}

/** Where the file comes from (contract: `GET /{r}/export`). */
export function exportPath(entity: Entity, { format, columns, sort, filter }: Wanted): string {
  const names = columns.filter(({ field }) => field.kind !== 'many').map(({ name }) => name);
  const query = printListQuery({ sort: [{ path: sort.field, descending: sort.order === 'DESC' }], filter: filterOf(entity, filter) });
  return `${entity.name}/export?${new URLSearchParams({ format, columns: names.join(',') })}&${query}`;
}

/** Loads the file and hands it to the browser. */
export const exportList = (entity: Entity, wanted: Wanted): Promise<void> => download(exportPath(entity, wanted), `${entity.name}.${wanted.format}`);
