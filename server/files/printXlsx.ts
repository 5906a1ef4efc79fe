/** Writes Office Open XML workbooks (ECMA-376) as a stream with constant memory. */
import type { Cell, LinkCell } from './csv';
import { printZip, type ZipFile } from './printZip';

interface Workbook {
  name: string;
  head: readonly string[];
  /** Column widths in pixels. */
  widths?: readonly (number | undefined)[] | undefined;
  batches: AsyncIterable<readonly (readonly Cell[])[]>;
  /** Maximum rows per sheet including its head; further rows go to another sheet. */
  maxRows?: number;
}

/** Prints a workbook. Text always becomes a text cell, which is never executed as a formula. */
export const printXlsx = (workbook: Workbook): AsyncGenerator<Buffer> => printZip(files(workbook));

/** Excel's limits of a sheet. */
const maxSheetRows = 1_048_576;
const maxSheetLinks = 65_530;

interface SheetLink extends LinkCell {
  /** Name of the cell: "C7". */
  ref: string;
}

async function* files({ name, head, widths = [], batches, maxRows = maxSheetRows }: Workbook): AsyncGenerator<ZipFile> {
  const rows = new Rows(batches);
  let sheets = 0;
  do {
    sheets += 1;
    // Filled while the sheet is written; a separate file holds the addresses.
    const links: SheetLink[] = [];
    const content = sheet({ head, widths, rows: rows.next(maxRows - 1), links });
    yield { path: `xl/worksheets/sheet${sheets}.xml`, content };
    if (links.length > 0)
      yield { path: `xl/worksheets/_rels/sheet${sheets}.xml.rels`, content: [declaration, relationsXml(links)] };
  } while (await rows.hasMore());
  for (const [path, content] of Object.entries(packageFiles(name, sheets)))
    yield { path, content: [declaration + content] };
}

/** Regroups rows into portions of any size. */
class Rows {
  private readonly batches: AsyncIterator<readonly (readonly Cell[])[]>;
  private remaining: readonly (readonly Cell[])[] = [];

  constructor(batches: AsyncIterable<readonly (readonly Cell[])[]>) {
    this.batches = batches[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.remaining.length === 0) {
      const { value, done } = await this.batches.next();
      if (done) return false;
      this.remaining = value;
    }
    return true;
  }

  /** Yields at most `count` further rows. */
  async *next(count: number): AsyncGenerator<readonly (readonly Cell[])[]> {
    let isFinished = false;
    try {
      for (let room = count; room > 0 && (await this.hasMore()); ) {
        const rows = this.remaining.slice(0, room);
        this.remaining = this.remaining.slice(rows.length);
        room -= rows.length;
        yield rows;
      }
      isFinished = true;
    } finally {
      // Closes the source if the consumer stops early.
      if (!isFinished) await this.batches.return?.();
    }
  }
}

interface SheetParts extends Required<Pick<Workbook, 'head' | 'widths'>> {
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
  links: SheetLink[];
}

async function* sheet({ head, widths = [], rows, links }: SheetParts): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${main}" xmlns:r="${office}"><sheetViews><sheetView workbookViewId="0">` +
    `<pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>` +
    `${columnsXml(widths)}<sheetData>${rowXml(head)}`;
  let count = 1;
  for await (const batch of rows) {
    for (const cells of batch) {
      count += 1;
      for (const [index, cell] of cells.entries())
        if (isLink(cell) && links.length < maxSheetLinks) links.push({ ...cell, ref: `${columnName(index)}${count}` });
    }
    yield batch.map(rowXml).join('');
  }
  const refs = links.map(({ ref }, index) => `<hyperlink ref="${ref}" r:id="rId${index + 1}"/>`);
  yield `</sheetData>${refs.length > 0 ? `<hyperlinks>${refs.join('')}</hyperlinks>` : ''}</worksheet>`;
}

const isLink = (cell: Cell): cell is LinkCell => typeof cell === 'object' && cell !== null;

/** A, B, … Z, AA, … */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

const relationsXml = (links: readonly SheetLink[]): string =>
  `<Relationships xmlns="${relations}">${links
    .map(
      ({ href }, index) =>
        `<Relationship Id="rId${index + 1}" Type="${office}/hyperlink" Target="${escapeXml(href)}" ` +
        'TargetMode="External"/>',
    )
    .join('')}</Relationships>`;

/** Width in characters of the default font, seven pixels each, plus five pixels of padding. */
function columnsXml(widths: readonly (number | undefined)[]): string {
  const columnElements = widths.flatMap((width, index) =>
    width === undefined
      ? []
      : [
          `<col min="${index + 1}" max="${index + 1}" width="${Math.max(1, (width - 5) / 7).toFixed(2)}" ` +
            `customWidth="1"/>`,
        ],
  );
  return columnElements.length === 0 ? '' : `<cols>${columnElements.join('')}</cols>`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function packageFiles(name: string, sheets: number): Record<string, string> {
  const printSheets = (print: (number: number) => string) =>
    Array.from({ length: sheets }, (_, index) => print(index + 1)).join('');
  return {
    '[Content_Types].xml': [
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">',
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
      '<Default Extension="xml" ContentType="application/xml"/>',
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>`,
      printSheets(
        (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${types}.worksheet+xml"/>`,
      ),
      '</Types>',
    ].join(''),
    '_rels/.rels':
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" ` +
      `Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': [
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>`,
      printSheets((number) => `<sheet name="${sheetName(name, number)}" sheetId="${number}" r:id="rId${number}"/>`),
      '</sheets></workbook>',
    ].join(''),
    'xl/_rels/workbook.xml.rels': [
      `<Relationships xmlns="${relations}">`,
      printSheets(
        (number) =>
          `<Relationship Id="rId${number}" Type="${office}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      ),
      '</Relationships>',
    ].join(''),
  };
}

/**
 * Excel rejects sheet names over 31 characters, with certain characters, with an apostrophe at either end, or used
 * twice.
 */
function sheetName(name: string, number: number): string {
  const suffix = number > 1 ? ` (${number})` : '';
  const validName = name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31 - suffix.length) + suffix;
  return escapeXml(validName.replace(/^'|'$/g, ' '));
}

const rowXml = (cells: readonly Cell[]): string => {
  let row = '<row>';
  for (const cell of cells) row += cellXml(cell);
  return `${row}</row>`;
};

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>';
  return typeof cell === 'number'
    ? `<c><v>${cell}</v></c>`
    : `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(isLink(cell) ? cell.href : cell)}</t></is></c>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Matches text that needs escaping; most does not. */
const specialCharacter = /[&<>"_]|(?![\t\n])[\p{Cc}\uFFFE\uFFFF]/u;

/**
 * Escapes text and attributes. XML 1.0 (section 2.2) allows neither U+FFFE and U+FFFF nor control characters except tab
 * and line ends; Excel writes the others as `_xHHHH_`.
 */
function escapeXml(text: string): string {
  if (!specialCharacter.test(text)) return text;
  return text
    .replace(/_x[0-9A-F]{4}_/gi, (code) => `_x005F${code}`)
    .replace(/[&<>"]/g, (sign) => entities[sign] as string)
    .replace(
      /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]/gu,
      (sign) => `_x${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    );
}
