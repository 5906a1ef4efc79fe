/** Downloads of a list in its current state: columns, order, filters. */
import type { SortPayload } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { printListQuery } from '../../../schema/dsl/listQuery';
import { type FileFormat, localizedFormat } from '../../../schema/shared/files';
import type { Language } from '../../../schema/shared/languages';
import { printWidths, type Widths } from '../../../schema/shared/widths';
import { type Filters, filterOf } from '../../providers/filters';
import type { Column } from './columns';

export const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export interface ListExportRequest {
  format: FileFormat;
  /** Whether to write field names and plain values, for a later import. */
  raw: boolean;
  columns: readonly Column[];
  /** Column widths of the list. */
  widths: Widths;
  sort: SortPayload;
  filter: Filters;
  language: Language;
}

/**
 * Columns of the file. A file for a later import contains the id, which identifies the row, and no counts of related
 * rows.
 */
export function exportColumnNames(columns: readonly Column[], isRaw: boolean): string[] {
  const names = columns.filter(({ field }) => !isRaw || field.kind !== 'many').map(({ name }) => name);
  return isRaw ? [...new Set(['id', ...names])] : names;
}

/** Path of the download (contract: `GET /{r}/export`). */
export function exportPath(
  entity: Entity,
  { format, raw, columns, widths, sort, filter, language }: ListExportRequest,
): string {
  const names = exportColumnNames(columns, raw);
  const query = printListQuery({
    sort: [{ path: sort.field, descending: sort.order === 'DESC' }],
    filter: filterOf(entity, filter),
  });
  const columnWidths = printWidths(widths, names);
  const kind = raw ? { format } : localizedFormat(format, language);
  const params = {
    ...kind,
    columns: names.join(','),
    ...(columnWidths.length > 0 && { widths: columnWidths.join(',') }),
    ...(raw && { raw: '1' }),
  };
  return `${entity.name}/export?${new URLSearchParams(params)}&${query}`;
}
