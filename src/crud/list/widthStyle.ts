import type { CSSProperties } from 'react';

/** Style of a column width. Tables with automatic layout need both minimum and maximum. */
export const widthStyle = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width };
