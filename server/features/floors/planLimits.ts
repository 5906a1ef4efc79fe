/** Limits for files of floor plans, and the errors for files that exceed them. */
import type { ApiText } from '../../context/errors';

export const planLimits = {
  /** Bytes of the file. */
  bytes: 20 * 1024 * 1024,
  /** Pixels to decode: 8,000 by 8,000, which take 256 MB. */
  pixels: 64_000_000,
  /** Pixels of the longer side of the stored image. */
  side: 4000,
  /** Characters of an SVG. */
  svg: 8_000_000,
  /** Elements of an SVG, and copies of elements in it (`use`). */
  elements: 100_000,
  copies: 2000,
  /** Bytes of a robot map. */
  robotMap: 8_000_000,
  /** Seconds in which the thread must read and draw a file. */
  time: 20,
  /** Megabytes of memory of that thread: for JavaScript, and for the library that draws PDFs. */
  memory: 256,
  pdfMemory: 512,
} as const;

export interface PlanProblem {
  text: Extract<ApiText, `plan_${string}`>;
  values?: Record<string, number>;
}
