/** Formats of exported files. */
import type { Language } from './languages';

export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Delimiters of CSV files. With a semicolon, numbers have a decimal comma. */
export const fileDelimiters = [',', ';'] as const;
export type FileDelimiter = (typeof fileDelimiters)[number];

/**
 * Returns the variant of a format that spreadsheet programs in a language open correctly. Languages with a decimal
 * comma need semicolons.
 */
export const localizedFormat = (
  format: FileFormat,
  language: Language,
): { format: FileFormat; delimiter?: FileDelimiter } =>
  format === 'csv' && language !== 'en' ? { format, delimiter: ';' } : { format };
