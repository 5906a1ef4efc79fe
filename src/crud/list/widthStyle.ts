import type { CSSProperties } from 'react';

/** Style of a column width. A table with automatic layout needs both minimum and maximum. */
export const widthStyle = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width };
