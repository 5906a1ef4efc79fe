/** Cameras for pages that scan codes: real ones exist in no test. */
import type { BrowserContext } from 'playwright';

/** A camera and a reader of codes of the browser that always reads `seen`. */
export const readCodeAs = (context: BrowserContext, code: string): Promise<unknown> =>
  context.addInitScript((text: string) => {
    Object.assign(window, {
      BarcodeDetector: class {
        static getSupportedFormats() {
          return Promise.resolve(['qr_code']);
        }
        detect = async () => [{ rawValue: text }];
      },
    });
    const film = () => {
      const canvas = document.createElement('canvas');
      setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 9, 9), 50);
      return canvas.captureStream();
    };
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: async () => film() } });
  }, code);
