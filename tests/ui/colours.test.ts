import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printTokens } from '../../scripts/printTokens';
import { darkTheme, lightTheme } from '../../src/ui/theme';
import { root } from '../support/sources';

const css = readFileSync(join(root, 'src/ui/tokens.css'), 'utf8');
const parseTokens = (block: string | undefined) =>
  Object.fromEntries(
    [...(block ?? '').matchAll(/--sl-([\w-]+): (#[0-9a-f]{6});/gi)].map(([, name, value]) => [name, value]),
  );
const light = parseTokens(/:root \{([^}]*)\}/.exec(css)?.[1]);
const darkTokens = parseTokens(/\[data-theme="dark"\] \{([^}]*)\}/.exec(css)?.[1]);

/** Contrast ratio of two colours (WCAG 2.2, relative luminance). */
function contrast(a = '', b = ''): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((offset) => {
      const channel = Number.parseInt(colour.slice(offset, offset + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const texts = [
  'text',
  'secondary',
  'accent',
  'accent-strong',
  'danger',
  'warning',
  'success',
  'cleaning',
  'charging',
  'parked',
  'online',
  'offline',
];
const backgrounds = ['page', 'surface', 'hover', 'selected'];

it('tokens.css equals the output of `npm run tokens`', () => {
  expect(css).toBe(printTokens());
});

describe.each([
  ['light', light, lightTheme],
  ['dark', darkTokens, darkTheme],
] as const)('colours, %s', (_, tokens, theme) => {
  it.each(
    texts.flatMap((text) => backgrounds.map((ground) => [text, ground] as const)),
  )('%s on %s has a contrast of at least 4.5:1', (text, ground) => {
    expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['accent', 'danger'])('text on %s has a contrast of at least 4.5:1', (ground) => {
    expect(contrast(tokens[`on-${ground}`], tokens[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it('edges of controls have a contrast of at least 3:1', () => {
    for (const ground of ['page', 'surface'])
      expect(contrast(tokens.control, tokens[ground])).toBeGreaterThanOrEqual(3);
  });

  it('are the same for Material UI', () => {
    const { palette } = theme as {
      palette: Record<string, { main: string; primary: string; secondary: string; default: string; paper: string }>;
    };
    expect(palette.primary?.main).toBe(tokens.accent);
    expect(palette.error?.main).toBe(tokens.danger);
    expect(palette.warning?.main).toBe(tokens.warning);
    expect(palette.success?.main).toBe(tokens.success);
    expect([palette.text?.primary, palette.text?.secondary]).toEqual([tokens.text, tokens.secondary]);
    expect([palette.background?.default, palette.background?.paper]).toEqual([tokens.page, tokens.surface]);
    expect(palette.divider).toBe(tokens.border);
  });
});
