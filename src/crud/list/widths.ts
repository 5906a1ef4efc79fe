import type { CSSProperties } from 'react';

/** A width for a cell and its head: a table laid out by its content keeps to both ends. */
export const sized = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width };
