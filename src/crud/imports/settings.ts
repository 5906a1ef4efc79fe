/** Form values of import settings, as texts; with an empty text the server decides. */
import type { ImportSettings } from '../../../schema/shared/imports';
import type { Import } from './import';

export type ImportChoices = Record<
  'mode' | 'rows' | 'empty' | 'sheet' | 'header_row' | 'encoding' | 'delimiter' | 'date_order' | 'decimal',
  string
>;

export function initialSettings({ settings, facts }: Import): ImportChoices {
  return {
    mode: settings.mode,
    rows: settings.rows,
    empty: settings.empty,
    sheet: facts?.sheet ?? '',
    header_row: String(facts?.header_row ?? ''),
    encoding: facts?.encoding ?? '',
    delimiter: facts?.delimiter ?? '',
    date_order: settings.date_order ?? '',
    decimal: settings.decimal ?? '',
  };
}

/** Settings as `POST /imports/{id}/check` expects them; `null` clears an earlier setting. */
export const settingsBody = (choices: ImportChoices): Partial<Record<keyof ImportSettings, string | null>> =>
  Object.fromEntries(Object.entries(choices).map(([name, value]) => [name, value === '' ? null : value]));
