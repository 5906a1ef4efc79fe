import type { TooltipOptions } from 'leaflet';
import { Tooltip } from 'react-leaflet';

/**
 * Text beside a mark. Leaflet holds it, not React, which would empty the tooltip before it has faded out: a tooltip
 * without a name to screen readers.
 */
export const MarkLabel = ({ text, ...options }: TooltipOptions & { text: string }) => (
  <Tooltip key={text} {...options} content={textNode(text)} />
);

/** Leaflet treats strings as markup, which the name of a row must never be. */
export function textNode(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
