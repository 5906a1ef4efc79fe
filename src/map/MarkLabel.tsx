import type { TooltipOptions } from 'leaflet';
import { Tooltip } from 'react-leaflet';

/**
 * Text beside a mark. Leaflet owns the content: React would remove it before the tooltip has faded out, and screen
 * readers would find a tooltip without a name.
 */
export const MarkLabel = ({ text, ...options }: TooltipOptions & { text: string }) => (
  <Tooltip key={text} {...options} content={textNode(text)} />
);

/** Wraps a text in an element, since Leaflet treats strings as markup. */
export function textNode(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
