/**
 * Parses cells to values by kind. Never guesses: leaves what it cannot parse unchanged, so that validation rejects it.
 */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { parseHours } from '../../../schema/dsl/parseHours';
import { readJson } from '../../../schema/dsl/shapes';
import type { DateOrder, ImportColumn } from '../../../schema/shared/imports';
import { languageCodes } from '../../../schema/shared/languages';
import type { FieldProblem } from '../../context/errors';
import { choiceOf, formatMessage } from '../../i18n/messages';
import { type ReadCell, textOfCell } from './importCell';
import { parseSerialDay } from './parseSerialDay';

/** Date and number format of a column, for cells that can be read in several ways. */
export interface ColumnFormat {
  date_order?: DateOrder;
  decimal?: ',' | '.';
}

/** A column with the format of its dates and numbers. */
export type StoredColumn = ImportColumn & { format?: ColumnFormat };

export type ParseResult = { value: unknown } | { problem: FieldProblem };

/** Returns the value, or a problem if the cell cannot have one. Must not be called for empty cells. */
export function parseCell(
  cell: ReadCell,
  { entity, name, format }: { entity: Entity; name: string; format: ColumnFormat },
): ParseResult {
  if (typeof cell === 'object' && cell !== null && 'wrong' in cell) return { problem: wrongCellProblem(cell.wrong) };
  const field = entity.fields[name] as Field;
  return readers[field.kind](cell, { entity, name, field, format });
}

function wrongCellProblem(text: string): FieldProblem {
  if (text.startsWith('#')) return { text: 'import_cell_error', values: { found: text } };
  return text.startsWith('=') ? { text: 'import_formula', values: { found: text } } : { key: 'control_characters' };
}

interface CellContext {
  entity: Entity;
  name: string;
  field: Field;
  format: ColumnFormat;
}
type CellReader = (cell: ReadCell, context: CellContext) => ParseResult;

const asText: CellReader = (cell) => ({ value: textOfCell(cell) });
const asTrimmedText: CellReader = (cell) => ({ value: textOfCell(cell).trim() });

const asNumber: CellReader = (cell, { format }) => {
  if (typeof cell === 'number') return { value: cell };
  const digits = normalizeNumber(textOfCell(cell), format.decimal);
  return { value: digits === undefined ? textOfCell(cell) : Number(digits) };
};

const asMoney: CellReader = (cell, { format }) => {
  if (typeof cell === 'number') return { value: String(Math.round(cell * 1e6) / 1e6) };
  return { value: normalizeNumber(textOfCell(cell), format.decimal) ?? textOfCell(cell) };
};

const booleanWords = new Map<string, boolean>([
  ...(['true', '1', 'x', 'on', 'wahr', 'vrai', 'vero', 'prawda', 'sant'] as const).map((word): [string, boolean] => [
    word,
    true,
  ]),
  ...(['false', '0', 'off', 'falsch', 'faux', 'falso', 'fałsz', 'falskt'] as const).map((word): [string, boolean] => [
    word,
    false,
  ]),
  ...languageCodes.flatMap((code): [string, boolean][] => [
    [formatMessage(code, 'api.yes').toLowerCase(), true],
    [formatMessage(code, 'api.no').toLowerCase(), false],
  ]),
]);
const asBoolean: CellReader = (cell, context) => {
  if (typeof cell === 'boolean') return { value: cell };
  const word = textOfCell(cell).trim().toLowerCase();
  const value =
    booleanWords.get(word) ??
    ([true, false] as const).find((value) => choiceLabels(context, String(value)).includes(word));
  return { value: value ?? textOfCell(cell) };
};

const asDay: CellReader = (cell, { format }) => {
  if (typeof cell === 'number')
    return { value: cell >= 1 && cell < 2_958_466 ? parseSerialDay(Math.floor(cell), false) : String(cell) };
  if (typeof cell === 'object' && cell !== null && 'date' in cell) return { value: cell.date.slice(0, 10) };
  return parseDay(textOfCell(cell).trim(), format.date_order);
};

const asInstant: CellReader = (cell, context) => {
  const text = typeof cell === 'object' && cell !== null && 'date' in cell ? cell.date : textOfCell(cell).trim();
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return { value: /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z` };
  const [day = '', time = '00:00'] = text.split(/[ T]+/);
  const parsedDay = asDay(day, context);
  return 'value' in parsedDay ? { value: `${parsedDay.value}T${time}Z` } : parsedDay;
};

const asChoice: CellReader = (cell, context) => {
  const text = textOfCell(cell).trim();
  const { choices = [] } = context.field;
  if (choices.includes(text)) return { value: text };
  const word = text.toLowerCase();
  const matches = choices.filter(
    (choice) => choice.toLowerCase() === word || choiceLabels(context, choice).includes(word),
  );
  return { value: matches.length === 1 ? matches[0] : text };
};

/** Labels of a choice in all six languages, in lower case. */
function choiceLabels({ entity, name }: Pick<CellContext, 'entity' | 'name'>, value: string): string[] {
  const key = `${entity.name} ${name} ${value}`;
  const choices =
    labelCache.get(key) ?? languageCodes.map((code) => choiceOf(code, entity, { field: name, value }).toLowerCase());
  labelCache.set(key, choices);
  return choices;
}
const labelCache = new Map<string, string[]>();

/** Parses a list as our exports print it: JSON, or separated by commas. */
const parseList = (text: string): unknown[] => {
  const json = text.startsWith('[') ? parseJson(text) : undefined;
  if (Array.isArray(json)) return json;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
};
const asList: CellReader = (cell) => ({ value: [...new Set(parseList(textOfCell(cell).trim()))] });

const asHours: CellReader = (cell) => ({ value: parseHours(textOfCell(cell)) });

const asRecords: CellReader = (cell, { field }) => {
  const [first = ''] = Object.keys(field.of ?? {});
  const writableValues = (record: object) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => field.of?.[name]?.write !== false));
  return {
    value: parseList(textOfCell(cell).trim()).map((item) =>
      typeof item === 'object' && item !== null ? writableValues(item) : { [first]: item },
    ),
  };
};

const asId: CellReader = (cell) => ({ value: parseId(cell) });
const asIds: CellReader = (cell) => ({
  value: [
    ...new Set(
      typeof cell === 'number' ? [cell] : parseList(textOfCell(cell).trim()).map((item) => parseId(item as ReadCell)),
    ),
  ],
});
const parseId = (cell: ReadCell): unknown =>
  typeof cell === 'number'
    ? cell
    : /^\s*\d{1,10}\s*$/.test(textOfCell(cell))
      ? Number(textOfCell(cell))
      : textOfCell(cell);

const readers: Record<Kind, CellReader> = {
  text: asText,
  longtext: asText,
  email: asTrimmedText,
  phone: asTrimmedText,
  color: asTrimmedText,
  integer: asNumber,
  number: asNumber,
  money: asMoney,
  boolean: asBoolean,
  date: asDay,
  instant: asInstant,
  choice: asChoice,
  tags: asList,
  hours: asHours,
  json: (cell) => ({ value: readJson(textOfCell(cell)) }),
  image: asTrimmedText,
  password: asText,
  ref: asId,
  refs: asIds,
  many: asText,
  records: asRecords,
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a number as people write it. Returns it with `.` as decimal separator and without thousands separators:
 * `1.234,50 €` becomes `1234.50`. A single separator between one to three digits and exactly three digits is ambiguous,
 * so `decimal` decides, a point by default. Returns `undefined` for text that is not a number.
 */
export function normalizeNumber(text: string, decimal?: ',' | '.'): string | undefined {
  const digits = text.replace(/[\s\u00A0\u202F']|€|EUR|m²|m2|%/gi, '').replace(/^[−–](?=\d)/, '-');
  if (!/^[+-]?\d[\d.,]*$/.test(digits)) return undefined;
  const separators = [...digits.matchAll(/[.,]/g)].map(([sign]) => sign);
  const lastSeparator = separators.at(-1);
  if (lastSeparator === undefined) return digits.replace(/^\+/, '');
  const isAmbiguous = /^[+-]?(?!0[.,])\d{1,3}[.,]\d{3}$/.test(digits);
  const isDecimal = isAmbiguous
    ? (decimal ?? '.') === lastSeparator
    : separators.indexOf(lastSeparator) === separators.length - 1;
  const thousandsSeparator = isDecimal ? (lastSeparator === '.' ? ',' : '.') : lastSeparator;
  const integerPart = isDecimal ? digits.slice(0, digits.lastIndexOf(lastSeparator)) : digits;
  if (!new RegExp(`^[+-]?(\\d+|\\d{1,3}([${thousandsSeparator}]\\d{3})+)$`).test(integerPart)) return undefined;
  const integer = integerPart.replace(/[.,+]/g, '');
  return isDecimal ? `${integer}.${digits.slice(digits.lastIndexOf(lastSeparator) + 1)}` : integer;
}

/**
 * Parses a day: ISO, dd.mm.yyyy, an Excel serial number, or with slashes or dashes, in which case the order must be
 * known or follow from the numbers.
 */
function parseDay(text: string, order: DateOrder | undefined): ParseResult {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ][\d:.]+Z?)?$/.exec(text);
  if (iso) return { value: formatDay(iso[1], iso[2], iso[3]) };
  if (/^[2-7]\d{4}$/.test(text)) return { value: parseSerialDay(Number(text), false) };
  const match = /^(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{2}|\d{4})(?:[ ,T]+[\d:.]+)?$/.exec(text);
  if (!match) return { value: text };
  const [, first, sign, second, yearText] = match as unknown as [string, string, string, string, string];
  const year = yearText.length === 4 ? yearText : `${Number(yearText) > 69 ? 19 : 20}${yearText}`;
  const dayOrder =
    order === 'mdy' || order === 'dmy'
      ? order
      : sign === '.'
        ? 'dmy'
        : Number(first) > 12 || first === second
          ? 'dmy'
          : Number(second) > 12
            ? 'mdy'
            : undefined;
  if (!dayOrder) return { problem: { text: 'import_date_order', values: { found: text } } };
  return { value: dayOrder === 'dmy' ? formatDay(year, second, first) : formatDay(year, first, second) };
}

const formatDay = (year = '', month = '', date = '') => `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
