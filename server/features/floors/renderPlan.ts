/**
 * Renders the plan of a floor to pixels, so that the uploaded file itself is never served. Accepts PNG, JPEG, SVG, a
 * page of a PDF, or a robot's own map.
 */
import type { Sharp } from 'sharp';
import { loadSharp } from '../../files/loadSharp';
import { type PlanProblem, planLimits } from './planLimits';
import { type PreparedPlan, preparePlan } from './preparePlan';

export interface RenderedPlan extends Pick<PreparedPlan, 'pages' | 'robotMap'> {
  mediaType: 'image/png' | 'image/jpeg';
  bytes: Buffer;
  /** In pixels. */
  width: number;
  height: number;
}
type RenderResult = RenderedPlan | { problem: PlanProblem };

/** Renders an uploaded file. `page` selects the page of a PDF, counted from 1. */
export async function renderPlan(bytes: Buffer, page = 1): Promise<RenderResult> {
  if (bytes.length > planLimits.bytes) return problemOf('plan_too_large', { max: planLimits.bytes / 1024 / 1024 });
  const kind = detectKind(bytes);
  if (kind === undefined) return problemOf('plan_type');
  if (kind === 'png' || kind === 'jpeg') return renderPicture(bytes, kind);
  const plan = await preparePlan({ kind, bytes, page });
  if ('problem' in plan) return plan;
  const { image, ...details } = plan;
  const renderResult = 'svg' in image ? await renderSvg(Buffer.from(image.svg)) : await renderPixels(image);
  return 'problem' in renderResult ? renderResult : { ...renderResult, ...details };
}

function renderPicture(bytes: Buffer, kind: 'png' | 'jpeg'): Promise<RenderResult> {
  return rejectDamaged(async (sharp) => {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!(width > 0 && height > 0)) return problemOf('plan_damaged');
    if (width * height > planLimits.pixels)
      return problemOf('plan_pixels', { width, height, max: planLimits.pixels / 1_000_000 });
    return encodeImage(sharp(bytes, { limitInputPixels: planLimits.pixels, failOn: 'error' }).rotate(), kind);
  });
}

/** Renders an SVG at the size at which it is stored, since an SVG has no pixel size of its own. */
function renderSvg(bytes: Buffer): Promise<RenderResult> {
  return rejectDamaged(async (sharp) => {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!(width > 0 && height > 0)) return problemOf('plan_damaged');
    const density = Math.max(1, Math.min(2400, (72 * planLimits.side) / Math.max(width, height)));
    return encodeImage(sharp(bytes, { limitInputPixels: planLimits.pixels, failOn: 'error', density }), 'png');
  });
}

const renderPixels = ({ pixels, width, height }: { pixels: Uint8Array; width: number; height: number }) =>
  rejectDamaged((sharp) => encodeImage(sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha(), 'png'));

async function rejectDamaged(render: (sharp: Awaited<ReturnType<typeof loadSharp>>) => Promise<RenderResult>) {
  try {
    return await render(await loadSharp());
  } catch {
    return problemOf('plan_damaged');
  }
}

async function encodeImage(image: Sharp, kind: 'png' | 'jpeg'): Promise<RenderedPlan> {
  const resizedImage = image
    .timeout({ seconds: planLimits.time })
    .resize({ width: planLimits.side, height: planLimits.side, fit: 'inside', withoutEnlargement: true });
  const { data, info } = await (kind === 'jpeg'
    ? resizedImage.jpeg({ quality: 85 })
    : resizedImage.png({ compressionLevel: 9 })
  ).toBuffer({ resolveWithObject: true });
  const mediaType = kind === 'jpeg' ? 'image/jpeg' : 'image/png';
  return { mediaType, bytes: data, width: info.width, height: info.height };
}

const problemOf = (text: PlanProblem['text'], values?: PlanProblem['values']) => ({
  problem: { text, ...(values && { values }) },
});

function detectKind(bytes: Buffer): 'png' | 'jpeg' | 'svg' | 'pdf' | 'robot_map' | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg';
  // PDF readers also accept a header that does not start at the first byte.
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  const start = bytes
    .subarray(0, 4096)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('{')) return bytes.length <= planLimits.robotMap ? 'robot_map' : undefined;
  return start.startsWith('<') && /<svg[\s>]/i.test(bytes.subarray(0, 65_536).toString('utf8')) ? 'svg' : undefined;
}
