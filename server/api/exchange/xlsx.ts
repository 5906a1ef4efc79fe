/** Office Open XML workbooks (ECMA-376) of one sheet, written as a stream with constant memory. */
import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Cell } from './csv';

/** Turns rows into the bytes of an .xlsx file. Text is always a text cell: nothing in it is ever run as a formula. */
export async function* xlsxOf(sheetName: string, batches: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, bytes) => {
    failure ??= error;
    if (bytes) ready.push(bytes);
  });
  for (const [path, content] of Object.entries(frame(sheetName))) add(zip, path, content);

  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 6 });
  zip.add(sheet);
  sheet.push(
    strToU8(
      `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>`,
    ),
  );
  for await (const rows of batches) {
    sheet.push(strToU8(rows.map(rowXml).join('')));
    if (failure) throw failure;
    yield* ready.splice(0);
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  yield* ready.splice(0);
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function add(zip: Zip, path: string, content: string): void {
  const file = new ZipDeflate(path, { level: 6 });
  zip.add(file);
  file.push(strToU8(head + content), true);
}

function frame(sheetName: string): Record<string, string> {
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  // Excel refuses sheet names of more than 31 characters and some signs.
  const name = escaped(sheetName.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31));
  return {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  };
}

const rowXml = (cells: readonly Cell[]): string => `<row>${cells.map(cellXml).join('')}</row>`;

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>';
  return typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no control characters but tab and line ends: Excel writes the others as `_xHHHH_`. */
function escaped(text: string): string {
  return text
    .replace(/_x[0-9A-F]{4}_/gi, (code) => `_x005F${code}`)
    .replace(/[&<>"]/g, (sign) => entities[sign] as string)
    .replace(/(?![\t\n])\p{Cc}/gu, (sign) => `_x${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`);
}
