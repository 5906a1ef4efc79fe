/** Draws a page of a PDF. The file determines time and memory, so only `planWorker.ts` may call it. */
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { type PlanProblem, planLimits } from './planLimits';

export interface PdfPage {
  /** RGBA. */
  pixels: Uint8Array;
  width: number;
  height: number;
  /** Number of pages in the file. */
  pages: number;
}

/**
 * Draws a page, counted from 1. Returns a problem if the file is damaged or locked, or needs more memory than allowed.
 */
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
  // The page has no area.
  if (!(width > 0 && height > 0)) return { problem: { text: 'plan_damaged' } };
  const { data } = await pdfPage.render({ width, height, render: 'bitmap', colorSpace: 'BGRA' });
  // The library omits pictures for which its memory does not suffice.
  return memory.isExceeded() ? { problem: { text: 'plan_pdf' } } : { pixels: data, width, height, pages };
}

/** Limits the WebAssembly memory of this thread, which the limits of worker threads do not include. */
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
