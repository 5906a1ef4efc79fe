/** Figures of the benchmark with their bars, the growth between sizes, and the tables of docs/performance.md. */

/** For `ratio` and `per second` the bar is a minimum, for all others a maximum. */
export type FigureUnit = 'ratio' | 'times' | 'ms' | 's' | 'per second' | 'MB' | 'kB' | 'files' | 'calls' | 'runs' | '%';

export interface Figure {
  title: string;
  role?: string;
  /** Number of machines in the database, if measured at several sizes. */
  size?: number;
  unit: FigureUnit;
  value: number;
  /** Milliseconds per response of the product. */
  milliseconds?: number;
  /** Milliseconds per response of the limit. */
  limitMilliseconds?: number;
  /** Milliseconds of the first response, if it counts. */
  firstMilliseconds?: number;
  bar?: number;
  /** Why the response was wrong. */
  fault?: string;
}

export type Verdict = 'met' | 'missed' | 'wrong answer' | 'no bar';

const isMinimum = (unit: FigureUnit) => unit === 'ratio' || unit === 'per second';

/** Whether a figure meets its bar. */
export function verdictOf({ unit, value, bar, fault }: Figure): Verdict {
  if (fault !== undefined) return 'wrong answer';
  if (bar === undefined) return 'no bar';
  return (isMinimum(unit) ? value >= bar : value <= bar) ? 'met' : 'missed';
}

/**
 * Figures of one scenario and role by size. The bar applies to the largest size; responses must be right at every size.
 */
interface FigureRow {
  largest: Figure;
  smaller: readonly Figure[];
}

export function figureRows(figures: readonly Figure[]): FigureRow[] {
  const figuresByScenario = new Map<string, Figure[]>();
  for (const figure of figures) {
    const key = `${figure.title}\n${figure.role ?? ''}`;
    figuresByScenario.set(key, [...(figuresByScenario.get(key) ?? []), figure]);
  }
  return [...figuresByScenario.values()].map((scenarioFigures) => {
    const bySize = scenarioFigures.toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0));
    return { largest: bySize.at(-1) as Figure, smaller: bySize.slice(0, -1) };
  });
}

export function rowVerdict({ largest, smaller }: FigureRow): Verdict {
  return smaller.some(({ fault }) => fault !== undefined) ? 'wrong answer' : verdictOf(largest);
}

/** Growth: the time per response at the largest size divided by that at the smallest. */
export function growthOf({ largest, smaller }: FigureRow): number | undefined {
  const [before, after] = [smaller[0]?.milliseconds, largest.milliseconds];
  return before && after && after / before;
}

const unitTexts: Record<FigureUnit, string> = {
  ratio: 'of the limit',
  times: 'times',
  'per second': 'a second',
  ms: 'ms',
  s: 's',
  MB: 'MB',
  kB: 'kB',
  files: 'files',
  calls: 'calls',
  runs: 'runs',
  '%': '%',
};

/** Prints three significant digits: `0.97`, `8.3`, `1,234`. */
const printNumber = (value: number): string =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });

export const printBar = ({ unit, bar }: Figure): string =>
  bar === undefined ? '' : `${isMinimum(unit) ? 'at least' : 'at most'} ${printNumber(bar)} ${unitTexts[unit]}`;

export function printFigure({ unit, value, milliseconds, firstMilliseconds }: Figure): string {
  const duration = unit === 'ratio' || unit === 'times' ? milliseconds : undefined;
  return [
    unit === 'ratio' || unit === 'times' ? value.toFixed(2) : `${printNumber(value)} ${unitTexts[unit]}`,
    ...(duration === undefined ? [] : [`(${printNumber(duration)} ms)`]),
    ...(firstMilliseconds === undefined ? [] : [`(first ${printNumber(firstMilliseconds)} ms)`]),
  ].join(' ');
}

const verdictWords: Record<Verdict, string> = {
  met: 'met',
  missed: '**missed**',
  'wrong answer': '**wrong answer**',
  'no bar': '',
};

const tableLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Markdown table with a row per scenario and role, and a column per size. */
export function printSizesTable(figures: readonly Figure[]): string {
  const sizes = [...new Set(figures.map(({ size }) => size ?? 0))].sort((a, b) => a - b);
  const rows = figureRows(figures).map((row) => {
    const growth = growthOf(row);
    const figureAt = (size: number) => [row.largest, ...row.smaller].find((figure) => figure.size === size);
    return tableLine([
      row.largest.title,
      row.largest.role ?? '',
      ...sizes.map((size) => {
        const figure = figureAt(size);
        return figure ? printFigure(figure) : '';
      }),
      growth === undefined ? '' : growth.toFixed(1),
      printBar(row.largest),
      verdictWords[rowVerdict(row)],
    ]);
  });
  const headings = sizes.map((size) => `${size.toLocaleString('en')} machines`);
  return [
    tableLine(['scenario', 'role', ...headings, 'growth', 'bar', '']),
    `|${'---|'.repeat(sizes.length + 5)}`,
    ...rows,
    ...wrongResults(figures),
  ].join('\n');
}

/** Markdown table of figures that do not depend on a size. */
export function printTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) =>
    tableLine([figure.title, printFigure(figure), printBar(figure), verdictWords[verdictOf(figure)]]),
  );
  return [tableLine(['scenario', 'seen', 'bar', '']), '|---|---|---|---|', ...rows, ...wrongResults(figures)].join(
    '\n',
  );
}

function wrongResults(figures: readonly Figure[]): string[] {
  const wrongFigures = figures.filter((figure) => figure.fault !== undefined);
  return wrongFigures.length === 0
    ? []
    : [
        '',
        ...wrongFigures.map(
          ({ title, role, size, fault }) => `- ${[title, role, size].filter(Boolean).join(', ')}: ${fault}`,
        ),
      ];
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
export function replaceSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no section ${name}.`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}

/** The failures of a run, one line per failure. */
export function failures(figures: readonly Figure[]): string[] {
  return figureRows(figures).flatMap((row) => {
    const { title, role } = row.largest;
    const verdict = rowVerdict(row);
    if (verdict === 'met' || verdict === 'no bar') return [];
    return [
      `${verdict}: ${[title, role].filter(Boolean).join(', ')}: ${printFigure(row.largest)}, ${printBar(row.largest)}`,
    ];
  });
}
