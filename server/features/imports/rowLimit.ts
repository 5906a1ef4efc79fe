/** Maximum rows per import. Lower on the embedded database, whose only session all users share. */
import { maxImportRows } from '../../../schema/shared/imports';
import type { Database } from '../../db/core/database';

/** Maximum rows of a file, and the message for files with more. */
export interface RowLimit {
  maxRows: number;
  text: 'import_rows' | 'import_rows_embedded';
}

export const rowLimitOf = (kind: Database['kind']): RowLimit => ({
  maxRows: maxImportRows(kind),
  text: kind === 'pglite' ? 'import_rows_embedded' : 'import_rows',
});
