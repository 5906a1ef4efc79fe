/** Draws a page of a PDF. Time and memory depend on the file: must only be called in `planWorker.ts`. */
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { type PlanProblem, planLimits } from './planLimits';

export interface PdfPage {
  /** RGBA. */
  pixels: Uint8Array;
  width: number;
  height: number;
  /** Number of pages of the file. */
  pages: number;
}

/** `page` counts from 1. Throws if the file needs more memory than allowed. */
export async function drawPdfPage(bytes: Uint8Array, page: number): Promise<PdfPage | { problem: PlanProblem }> {
  const memory = limitWasmMemory(planLimits.pdfMemory);
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes).catch((error: Error) => error.message);
  if (typeof document === 'string')
    return { problem: { text: /password|security/i.test(document) ? 'plan_pdf_locked' : 'plan_damaged' } };
  const pages = document.getPageCount();
  if (pages === 0) return { problem: { text: 'plan_damaged' } };
  if (page > pages) return { problem: { text: 'plan_pdf_page', values: { page, pages } } };
  const pdfPage = document.getPage(page - 1);
  const { originalWidth, originalHeight } = pdfPage.getOriginalSize();
  const scale = planLimits.side / Math.max(originalWidth, originalHeight);
  const [width, height] = [originalWidth, originalHeight].map((side) => Math.round(side * scale)) as [number, number];
  // The page is degenerate or has no size.
  if (!(width > 0 && height > 0)) return { problem: { text: 'plan_damaged' } };
  const { data } = await pdfPage.render({ width, height, render: 'bitmap', colorSpace: 'BGRA' });
  // The library would omit pictures that exceed its memory.
  return memory.isExceeded() ? { problem: { text: 'plan_pdf' } } : { pixels: data, width, height, pages };
}

/** Memory of this thread: limits of worker threads do not include WebAssembly. */
function limitWasmMemory(megabytes: number): { isExceeded: () => boolean } {
  const { grow } = WebAssembly.Memory.prototype;
  let isExceeded = false;
  WebAssembly.Memory.prototype.grow = function growWithin(this: WebAssembly.Memory, pages: number) {
    isExceeded ||= this.buffer.byteLength + pages * 65_536 > megabytes * 1024 * 1024;
    if (isExceeded) throw new RangeError('Too much memory.');
    return grow.call(this, pages);
  };
  return { isExceeded: () => isExceeded };
}
