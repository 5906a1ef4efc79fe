/** Files that rows are written to. */
import type { Language } from './languages';

export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Between the cells of a csv file. With a semicolon, numbers have a decimal comma. */
export const fileDelimiters = [',', ';'] as const;
export type FileDelimiter = (typeof fileDelimiters)[number];

/**
 * A file as the spreadsheets open it that are used where a language is spoken: with semicolons wherever the comma
 * stands in numbers.
 */
export const readableKind = (
  format: FileFormat,
  language: Language,
): { format: FileFormat; delimiter?: FileDelimiter } =>
  format === 'csv' && language !== 'en' ? { format, delimiter: ';' } : { format };
