/** Draws logos of the demo's clients: shapes in two colours, determined by seed and client. */
import { createHash } from 'node:crypto';
import { loadSharp } from '../../server/files/loadSharp';
import { fleetColors } from './names';
import { createRandom, type Random } from './random';

/** Width and height in pixels. */
const side = 160;

export interface SeedLogo {
  /** Named like an uploaded file. */
  name: string;
  bytes: Buffer;
}

/** Draws the logo of the `nth` client. */
export async function drawLogo(seed: number, nth: number): Promise<SeedLogo> {
  const random = createRandom(seed * 7919 + nth);
  const sharp = await loadSharp();
  const bytes = await sharp(Buffer.from(shapesOf(random, nth)))
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
  return { name: logoName(seed, nth), bytes };
}

/** Returns the name of the file, which is known before the logo is drawn. */
export const logoName = (seed: number, nth: number): string => `${uuidOf(`logo ${seed} ${nth}`)}.png`;

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function shapesOf(random: Random, nth: number): string {
  const background = fleetColors[nth % fleetColors.length] as string;
  const light = random.pick(['#ffffff', '#f6d55c', '#bfe3e0', '#ffd9c7']);
  const emblem = emblems[nth % emblems.length]?.(light, background);
  const plate = random.pick([
    '<rect width="160" height="160" rx="28"',
    '<circle cx="80" cy="80" r="80"',
    '<rect width="160" height="160"',
  ]);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 160 160">` +
    `${plate} fill="${background}"/>${emblem}</svg>`
  );
}

/** Emblems, centred in 160 by 160 pixels and without letters. */
const emblems: readonly ((light: string, background: string) => string)[] = [
  (light) => `<path d="M40 112 80 40l40 72z" fill="${light}"/>`,
  (light, background) =>
    `<circle cx="80" cy="80" r="44" fill="${light}"/><circle cx="98" cy="68" r="34" fill="${background}"/>`,
  (light) =>
    [0, 1, 2]
      .map(
        (bar) =>
          `<rect x="${38 + bar * 32}" y="${86 - bar * 22}" width="20" height="${36 + bar * 22}" rx="4" ` +
          `fill="${light}"/>`,
      )
      .join(''),
  (light) => `<path d="M80 36 118 58v44l-38 22-38-22V58z" fill="none" stroke="${light}" stroke-width="14"/>`,
  (light) =>
    [58, 82, 106]
      .map(
        (y) =>
          `<path d="M36 ${y}q22-20 44 0t44 0" fill="none" stroke="${light}" stroke-width="10" stroke-linecap="round"/>`,
      )
      .join(''),
  (light, background) =>
    `<rect x="40" y="40" width="80" height="80" rx="8" fill="${light}" transform="rotate(45 80 80)"/><circle ` +
    `cx="80" cy="80" r="20" fill="${background}"/>`,
  (light) =>
    `<path d="M44 44h34v34H44zM82 82h34v34H82z" fill="${light}"/>` +
    `<circle cx="99" cy="61" r="17" fill="${light}"/><circle cx="61" cy="99" r="17" fill="${light}"/>`,
];
