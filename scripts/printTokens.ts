/** `npm run tokens`: writes `src/ui/tokens.css` from `src/ui/tokens.ts`. */
import { writeFileSync } from 'node:fs';
import { type ColorMode, colorTokens, fontFamily, measureTokens } from '../src/ui/tokens';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const declarations = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => `  --sl-${kebab(name)}: ${value};`);

/** Arrow of a select in the colour of secondary text, because images in CSS cannot use variables. */
function chevron(mode: ColorMode): string {
  const color = encodeURIComponent(colorTokens[mode].secondary);
  const svg = [
    "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none'",
    `stroke='${color}' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'%3E`,
    "%3Cpath d='M7 10l5 5 5-5'/%3E%3C/svg%3E",
  ].join(' ');
  return `url("data:image/svg+xml,${svg.replace('%3E %3C', '%3E%3C')}")`;
}

const block = (selector: string, mode: ColorMode, extraTokens: Record<string, string> = {}) =>
  [
    `${selector} {`,
    `  color-scheme: ${mode};`,
    ...declarations({ ...colorTokens[mode], chevron: chevron(mode), ...extraTokens }),
    '}',
  ].join('\n');

/** Returns the content of `tokens.css`. */
export function printTokens(): string {
  const lengths = Object.entries(measureTokens).map(([name, pixels]) => [name, `${pixels}px`]);
  return `${[
    '/* Printed by `npm run tokens` from tokens.ts: change colours there. */',
    block(':root', 'light', { ...Object.fromEntries(lengths), font: fontFamily }),
    // Paper is white in every theme.
    `@media screen {\n${block('[data-theme="dark"]', 'dark').replace(/^/gm, '  ')}\n}`,
  ].join('\n\n')}\n`;
}

if (process.argv[1]?.endsWith('printTokens.ts'))
  writeFileSync(new URL('../src/ui/tokens.css', import.meta.url), printTokens());
