/** What a plan may be, and what is said of one that is not. */
import type { ApiText } from '../../context/errors';

export const planLimits = {
  /** Of the file. */
  bytes: 20 * 1024 * 1024,
  /** To decode: 8,000 by 8,000, 256 MB. */
  pixels: 64_000_000,
  /** Of the longer side that is stored. */
  side: 4000,
  /** Characters of an SVG, and what it draws. */
  svg: 8_000_000,
  elements: 100_000,
  copies: 2000,
  /** Bytes of a robot's map. */
  robotMap: 8_000_000,
  /** Seconds, of the thread that reads a file and of drawing it. */
  time: 20,
  /** Megabytes of that thread: of scripts, and of the library that draws PDF. */
  memory: 256,
  pdfMemory: 512,
} as const;

export interface PlanProblem {
  text: Extract<ApiText, `plan_${string}`>;
  values?: Record<string, number>;
}
