/** Reads CSV files with any delimiter. */
import Papa from 'papaparse';
import { importLimits } from '../../../schema/shared/imports';
import { decodeText, detectDelimiter } from './decodeText';
import { textCell } from './importCell';
import type { FileChoices, ImportTable } from './importTable';
import { UnreadableFile } from './unreadableFile';

export function readCsvTable(bytes: Uint8Array, choices: FileChoices): ImportTable {
  const { text, encoding } = decodeText(bytes, choices.encoding);
  const { delimiter, isDeclared } = detectDelimiter(text, choices.delimiter);
  const body = isDeclared ? text.slice(text.indexOf('\n') + 1) : text;
  return {
    kind: 'csv',
    encoding,
    delimiter,
    sheets: [],
    formulaCount: () => 0,
    forEachRow(processRow) {
      let row = isDeclared ? 1 : 0;
      Papa.parse<string[]>(body, {
        delimiter,
        step: ({ data, errors }, parser) => {
          row += 1;
          if (errors.some(({ type }) => type === 'Quotes')) throw new UnreadableFile('import_quotes', { row });
          if (data.length > importLimits.columns && data.slice(importLimits.columns).some((cell) => cell !== ''))
            throw new UnreadableFile('import_columns', { most: importLimits.columns });
          if (processRow(data.slice(0, importLimits.columns).map(textCell), row) === false) parser.abort();
        },
      });
    },
  };
}
