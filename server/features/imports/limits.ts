/** How many rows one import may have: the embedded database has one session for everybody and bears less. */
import { importLimits } from '../../../schema/shared/imports';
import type { Database } from '../../db/core/database';

/** Most rows of a file, and the sentence that refuses more. */
export interface RowLimit {
  most: number;
  text: 'import_rows' | 'import_rows_embedded';
}

export const rowLimitOf = (kind: Database['kind']): RowLimit =>
  kind === 'pglite'
    ? { most: importLimits.embeddedRows, text: 'import_rows_embedded' }
    : { most: importLimits.rows, text: 'import_rows' };
