/** Query fields and media types of calls that return a table as a file, `xlsx` or `csv`. */
import { choice } from '../dsl/field';
import { fileDelimiters, fileFormats } from '../shared/files';

export const sheetFields = { format: choice(fileFormats), delimiter: choice(fileDelimiters) };
export const sheetMedia = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'] as const;
