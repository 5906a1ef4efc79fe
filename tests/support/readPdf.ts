/** Reads the text and images of a PDF. */
import { PDFiumLibrary } from '@hyzyla/pdfium';

interface PdfContent {
  /**
   * Returns the words that the text lacks. Compares only letters and digits, since lines break at spaces and hyphens.
   */
  missing(words: readonly string[]): string[];
  /** Number of images. */
  pictures: number;
}

export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    const pages = [...document.pages()];
    const text = pages.map((page) => lettersOf(page.getText())).join('');
    return {
      missing: (words) => words.filter((word) => !text.includes(lettersOf(word))),
      pictures: pages.flatMap((page) => [...page.objects()].filter(({ type }) => type === 'image')).length,
    };
  } finally {
    library.destroy();
  }
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
