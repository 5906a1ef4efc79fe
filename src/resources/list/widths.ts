/** Widths of a list's columns in pixels: as saved views keep them, as the page of a session remembers them, as a table's cells take them. */
import type { CSSProperties } from 'react';

export type Widths = Readonly<Record<string, number>>;

export const narrowest = 56;
export const widest = 900;

export const clamped = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)));

/** `serial_number:220`, as a view keeps them, in the order of the columns. */
export const printWidths = (widths: Widths, columns: readonly string[]): string[] =>
  columns.flatMap((name) => (widths[name] === undefined ? [] : [`${name}:${widths[name]}`]));

export function readWidths(printed: readonly string[]): Widths {
  const pairs = printed.flatMap((text): [string, number][] => {
    const [, name, width] = /^(\w+):(\d{2,3})$/.exec(text) ?? [];
    return name ? [[name, clamped(Number(width))]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The same for a cell and its head: a table laid out by its content keeps to both ends. */
export const sized = (width: number | undefined): CSSProperties | undefined => (width === undefined ? undefined : { width, minWidth: width, maxWidth: width });
