/** Prints minimal PDF files for tests. */

interface PdfObject {
  /** Entries of the object's dictionary, without the delimiters. */
  entries: string;
  stream?: Uint8Array | string;
}

interface PdfPageOptions {
  /** Commands that draw the page. */
  content: string;
  /** Left, bottom, right, top in points. */
  box?: readonly number[];
  resources?: string;
}

/** A document with these pages. `extraObjects`: further objects, numbered from 100. */
export function printPdf(pages: readonly PdfPageOptions[], extraObjects: readonly PdfObject[] = []): Buffer {
  const kids = pages.map((_, index) => `${10 + 2 * index} 0 R`).join(' ');
  const objects: [number, PdfObject][] = [
    [1, { entries: '/Type /Catalog /Pages 2 0 R' }],
    [2, { entries: `/Type /Pages /Kids [${kids}] /Count ${pages.length}` }],
    ...pages.flatMap(({ content, box = [0, 0, 200, 100], resources = '' }, index): [number, PdfObject][] => [
      [
        10 + 2 * index,
        {
          entries: `/Type /Page /Parent 2 0 R /MediaBox [${box.join(' ')}] /Contents ${11 + 2 * index} 0 R
            /Resources << ${resources} >>`,
        },
      ],
      [11 + 2 * index, { entries: '', stream: content }],
    ]),
    ...extraObjects.map((object, index): [number, PdfObject] => [100 + index, object]),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  const crossReferences = objects.map(([id, { entries, stream }]) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    const bytes = stream === undefined ? undefined : Buffer.from(stream);
    parts.push(Buffer.from(`${id} 0 obj\n<< ${entries} ${bytes ? `/Length ${bytes.length}` : ''} >>\n`));
    if (bytes) parts.push(Buffer.from('stream\n'), bytes, Buffer.from('\nendstream\n'));
    parts.push(Buffer.from('endobj\n'));
    return `${id} 1\n${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const size = Math.max(...objects.map(([id]) => id)) + 1;
  parts.push(Buffer.from(`xref\n0 1\n0000000000 65535 f \n${crossReferences.join('')}`));
  parts.push(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}
