/** How many rows one import may have: the embedded database has one session for everybody and bears less. */
import { mostImportRows } from '../../../schema/shared/imports';
import type { Database } from '../../db/core/database';

/** Most rows of a file, and the sentence that refuses more. */
export interface RowLimit {
  most: number;
  text: 'import_rows' | 'import_rows_embedded';
}

export const rowLimitOf = (kind: Database['kind']): RowLimit => ({
  most: mostImportRows(kind),
  text: kind === 'pglite' ? 'import_rows_embedded' : 'import_rows',
});
