/** Simulated cameras for pages that scan codes. */
import type { BrowserContext } from 'playwright';

/** Installs a camera and a code detector that always reads `code`. */
export const simulateCamera = (context: BrowserContext, code: string): Promise<unknown> =>
  context.addInitScript((text: string) => {
    Object.assign(window, {
      BarcodeDetector: class {
        static getSupportedFormats() {
          return Promise.resolve(['qr_code']);
        }
        detect = async () => [{ rawValue: text }];
      },
    });
    const captureCanvas = () => {
      const canvas = document.createElement('canvas');
      setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 9, 9), 50);
      return canvas.captureStream();
    };
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: async () => captureCanvas() } });
  }, code);
