/** Downloads of a list, as it is seen: columns, order, filters. */
import type { SortPayload } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { printListQuery } from '../../../schema/dsl/query';
import { type FileFormat, readableKind } from '../../../schema/shared/files';
import type { Language } from '../../../schema/shared/languages';
import { printWidths, type Widths } from '../../../schema/shared/widths';
import { type Filters, filterOf } from '../../providers/filter';
import type { Column } from './columns';

export const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export interface Wanted {
  format: FileFormat;
  /** Names of fields and plain values, to be read in again. */
  raw: boolean;
  columns: readonly Column[];
  /** As they stand in the list. */
  widths: Widths;
  sort: SortPayload;
  filter: Filters;
  language: Language;
}

/**
 * The columns that a file can hold: for reading in again the id, which says which row is meant whatever else is shown,
 * and not the counts of other rows.
 */
export function namesFor(columns: readonly Column[], raw: boolean): string[] {
  const names = columns.filter(({ field }) => !raw || field.kind !== 'many').map(({ name }) => name);
  return raw ? [...new Set(['id', ...names])] : names;
}

/** Where the file comes from (contract: `GET /{r}/export`). */
export function exportPath(entity: Entity, { format, raw, columns, widths, sort, filter, language }: Wanted): string {
  const names = namesFor(columns, raw);
  const query = printListQuery({
    sort: [{ path: sort.field, descending: sort.order === 'DESC' }],
    filter: filterOf(entity, filter),
  });
  const sized = printWidths(widths, names);
  const kind = raw ? { format } : readableKind(format, language);
  const said = {
    ...kind,
    columns: names.join(','),
    ...(sized.length > 0 && { widths: sized.join(',') }),
    ...(raw && { raw: '1' }),
  };
  return `${entity.name}/export?${new URLSearchParams(said)}&${query}`;
}
