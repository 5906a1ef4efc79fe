/**
 * Prints a report as a sheet in the reader's language: one column per level, totals below their lines, and links to the
 * pages of runs.
 */
import {
  type ColumnKind,
  type ReportContent,
  type ReportLevel,
  type ReportLine,
  reportColumns,
  reports,
} from '../../../schema/features/reports';
import type { Language } from '../../../schema/shared/languages';
import type { Cell } from '../../files/csv';
import { choiceOf, texts } from '../../i18n/messages';
import type { ReportHead } from './readReport';
import type { ReportReader } from './reportRequest';
import { formatDay, reportName } from './reportTexts';

export interface ReportSheet {
  /** Name of the file, with the period. */
  name: string;
  /** Name of the sheet. */
  sheet: string;
  head: string[];
  rows: Cell[][];
}

/** Prints a whole report. */
export function sheetOf({ lines, ...head }: ReportContent, reader: ReportReader): ReportSheet {
  const printer = createRowPrinter(head, reader);
  return { ...sheetHead(head, reader.language), rows: [...lines.flatMap(printer.print), ...printer.end()] };
}

/** Returns the sheet without its rows. */
export function sheetHead(result: ReportHead, language: Language): Omit<ReportSheet, 'rows'> {
  const { report, from, to, columns } = result;
  const words = texts[language].reports;
  const columnsByName = reportColumns(report);
  const unit = (name: string) => units[columnsByName[name]?.kind as ColumnKind];
  const head = [
    ...levelsTo(result).map((level) => words.levels[level]),
    ...columns.map((name) => `${labelOf(words.columns, name)}${unit(name) ? ` (${unit(name)})` : ''}`),
    ...(result.by === 'run' ? [words.page] : []),
  ];
  const sheet = reportName(report, language);
  return { name: `${sheet} ${periodName(from, to)}`, sheet, head };
}

/** Prints the rows of a sheet from batches of lines. */
export async function* sheetRows(
  head: ReportHead,
  reader: ReportReader,
  batches: AsyncIterable<readonly ReportLine[]>,
): AsyncGenerator<Cell[][]> {
  const printer = createRowPrinter(head, reader);
  for await (const lines of batches) yield lines.flatMap(printer.print);
  yield printer.end();
}

/** Turns lines into rows one by one. The line of a group comes before its members, but its row comes after theirs. */
function createRowPrinter(result: ReportHead, { language, publicUrl }: ReportReader) {
  const { report, by, columns } = result;
  const levels = levelsTo(result);
  const columnsByName = reportColumns(report);
  const openLines: NamedLine[] = [];
  let names: (string | null)[] = [];
  const printRow = ({ line, names }: NamedLine): Cell[] => {
    const titles = levels.map(
      (_, index): Cell =>
        names[index] ?? (index === names.length && line.level !== by ? texts[language].reports.total : null),
    );
    const cells = columns.map((name) => cellOf(line[name], columnsByName[name]?.kind as ColumnKind, language));
    const page = by === 'run' ? [line.level === 'run' ? { href: `${publicUrl}/runs/${line.id}` } : null] : [];
    return [...titles, ...cells, ...page];
  };
  return {
    /** Returns the rows that this line completes. */
    print(line: ReportLine): Cell[][] {
      names = line.level === 'total' ? [] : [...names.slice(0, levels.indexOf(line.level)), lineName(line, language)];
      const completedLines: NamedLine[] = [];
      while (openLines.length > 0 && (openLines.at(-1) as NamedLine).names.length >= names.length)
        completedLines.push(openLines.pop() as NamedLine);
      openLines.push({ line, names });
      return completedLines.map(printRow);
    },
    /** Returns the remaining rows. */
    end: (): Cell[][] => openLines.reverse().map(printRow),
  };
}

/** Prints a period: `2026-10` for a whole month, otherwise both days. */
export function periodName(from: string, to: string): string {
  const isMonth =
    from.endsWith('-01') &&
    new Date(Date.parse(to) + 86_400_000).toISOString().slice(8, 10) === '01' &&
    from.slice(0, 7) === to.slice(0, 7);
  return isMonth ? from.slice(0, 7) : `${from} ${to}`;
}

const levelsTo = ({ report, by }: ReportHead): ReportLevel[] => {
  const levels: readonly ReportLevel[] = reports[report].levels;
  return levels.slice(0, levels.indexOf(by) + 1);
};

interface NamedLine {
  line: ReportLine;
  /** Names of the line's groups and of itself, outermost first. */
  names: (string | null)[];
}

/** Prints the name of a line. */
function lineName({ level, name }: ReportLine, language: Language): string | null {
  if (level === 'day') return formatDay(String(name));
  if (level === 'urgency') return (texts[language].reports.urgencies as Record<string, string>)[String(name)] ?? name;
  return name;
}

const units: Partial<Record<ColumnKind, string>> = { percent: '%', area: 'm²', time: 'h', money: '€', rate: '€' };
const labelOf = (labels: Record<string, string>, name: string): string => labels[name] ?? name;

/** Prints a value as a cell. Numbers stay numbers: hours with two decimals, amounts unchanged. */
function cellOf(value: unknown, kind: ColumnKind, language: Language): Cell {
  if (value === null || value === undefined) return null;
  const forms: Partial<Record<ColumnKind, () => Cell>> = {
    time: () => Math.round(Number(value) / 36) / 100,
    money: () => Number(value),
    rate: () => Number(value),
    day: () => formatDay(String(value)),
    names: () => (value as string[]).join(', '),
    outcome: () => choiceOf(language, 'runs', { field: 'outcome', value: String(value) }),
    source: () => choiceOf(language, 'runs', { field: 'source', value: String(value) }),
    result: () => texts[language].reports.results[value as keyof (typeof texts)['en']['reports']['results']],
  };
  return forms[kind]?.() ?? (value as Cell);
}
