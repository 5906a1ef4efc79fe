/**
 * Renders the plan of a floor to pixels: nothing of what was uploaded is ever served. PNG, JPEG, or SVG, whose text is
 * read first: what would run, load or grow in it is refused.
 */
import type { Sharp } from 'sharp';
import type { ApiText } from '../../context/errors';
import { loadSharp } from '../../files/loadSharp';

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
  /** Seconds. */
  time: 20,
} as const;

export interface RenderedPlan {
  mediaType: 'image/png' | 'image/jpeg';
  bytes: Buffer;
  /** Pixels. */
  width: number;
  height: number;
}
export type PlanProblem = { text: Extract<ApiText, `plan_${string}`>; values?: Record<string, number> };

export async function renderPlan(bytes: Buffer): Promise<RenderedPlan | { problem: PlanProblem }> {
  if (bytes.length > planLimits.bytes) return refuse('plan_too_large', { max: planLimits.bytes / 1024 / 1024 });
  if (bytes.subarray(0, 1024).includes('%PDF-')) return refuse('plan_pdf');
  const kind = kindOf(bytes);
  if (kind === undefined) return refuse('plan_type');
  if (kind === 'svg') {
    const problem = svgProblem(bytes.toString('utf8'));
    if (problem) return { problem };
  }
  const sharp = await loadSharp();
  const open = (density?: number) =>
    sharp(bytes, { limitInputPixels: planLimits.pixels, failOn: 'error', ...(density && { density }) });
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!(width > 0 && height > 0)) return refuse('plan_damaged');
    // An SVG has no pixels of its own: it is drawn as large as it is stored.
    const density = kind === 'svg' ? Math.min(2400, (72 * planLimits.side) / Math.max(width, height)) : undefined;
    if (kind !== 'svg' && width * height > planLimits.pixels)
      return refuse('plan_pixels', { width, height, max: planLimits.pixels / 1_000_000 });
    return await store(density === undefined ? open().rotate() : open(Math.max(1, density)), kind);
  } catch {
    return refuse('plan_damaged');
  }
}

async function store(image: Sharp, kind: 'png' | 'jpeg' | 'svg'): Promise<RenderedPlan> {
  const fitting = image
    .timeout({ seconds: planLimits.time })
    .resize({ width: planLimits.side, height: planLimits.side, fit: 'inside', withoutEnlargement: true });
  const { data, info } = await (kind === 'jpeg'
    ? fitting.jpeg({ quality: 85 })
    : fitting.png({ compressionLevel: 9 })
  ).toBuffer({ resolveWithObject: true });
  const mediaType = kind === 'jpeg' ? 'image/jpeg' : 'image/png';
  return { mediaType, bytes: data, width: info.width, height: info.height };
}

const refuse = (text: PlanProblem['text'], values?: PlanProblem['values']) => ({
  problem: { text, ...(values && { values }) },
});

function kindOf(bytes: Buffer): 'png' | 'jpeg' | 'svg' | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg';
  const start = bytes
    .subarray(0, 4096)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return start.startsWith('<') && /<svg[\s>]/i.test(bytes.subarray(0, 65_536).toString('utf8')) ? 'svg' : undefined;
}

/**
 * Refuses scripts, handlers, foreign content, entities and whatever is not drawn from the file itself. The renderer
 * would ignore most of it: a plan without its parts would be drawn wrong.
 */
function svgProblem(text: string): PlanProblem | undefined {
  if (text.length > planLimits.svg) return { text: 'plan_complex' };
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/i.test(text)) return { text: 'plan_active' };
  const plain = text.replace(/<!--[\s\S]*?-->/g, '');
  if (/<(?:\w+:)?(?:script|foreignObject|iframe|object|embed|handler|animate\w*|set)\b/i.test(plain))
    return { text: 'plan_active' };
  if (/\son\w+\s*=/i.test(plain) || /javascript:/i.test(plain)) return { text: 'plan_active' };
  if (/<\?xml-stylesheet|@import/i.test(plain) || /<(?:\w+:)?image\b/i.test(plain)) return { text: 'plan_external' };
  const references = [
    ...plain.matchAll(/\b(?:href|src)\s*=\s*(["'])\s*(.*?)\1/gis),
    ...plain.matchAll(/\burl\(\s*(["']?)\s*(.*?)\1\s*\)/gis),
  ];
  if (references.some(([, , to = '']) => !to.startsWith('#'))) return { text: 'plan_external' };
  const count = (pattern: RegExp) => plain.match(pattern)?.length ?? 0;
  const isLarge = count(/<\w/g) > planLimits.elements || count(/<(?:\w+:)?use\b/gi) > planLimits.copies;
  return isLarge || /<(?:\w+:)?(?:filter|fe\w+)\b/i.test(plain) ? { text: 'plan_complex' } : undefined;
}
