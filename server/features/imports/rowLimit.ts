/** Maximum rows per import: fewer on the embedded database, whose one session everybody shares. */
import { maxImportRows } from '../../../schema/shared/imports';
import type { Database } from '../../db/core/database';

/** Maximum rows of a file, and the text that rejects more. */
export interface RowLimit {
  maxRows: number;
  text: 'import_rows' | 'import_rows_embedded';
}

export const rowLimitOf = (kind: Database['kind']): RowLimit => ({
  maxRows: maxImportRows(kind),
  text: kind === 'pglite' ? 'import_rows_embedded' : 'import_rows',
});
