/** Widths of list columns in pixels, as stored in saved views and sent for exports. */

export type Widths = Readonly<Record<string, number>>;

export const minWidth = 56;
export const maxWidth = 900;

export const clampWidth = (width: number): number => Math.round(Math.min(maxWidth, Math.max(minWidth, width)));

/** Prints widths as saved views store them, such as `serial_number:220`, in the order of the columns. */
export const printWidths = (widths: Widths, columns: readonly string[]): string[] =>
  columns.flatMap((name) => (widths[name] === undefined ? [] : [`${name}:${widths[name]}`]));

export function parseWidths(parameters: readonly string[]): Widths {
  const pairs = parameters.flatMap((text): [string, number][] => {
    const [, name, width] = /^(\w+):(\d{2,3})$/.exec(text) ?? [];
    return name ? [[name, clampWidth(Number(width))]] : [];
  });
  return Object.fromEntries(pairs);
}
