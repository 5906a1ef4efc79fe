import type { DisplayProps } from './renderers';

/** A JSON value as text: one line per list entry, or a single line in a cell. */
export const JsonDisplay = ({ value, cell }: DisplayProps) => {
  const text = JSON.stringify(value);
  if (cell) return <span title={text.length > 24 ? text : undefined}>{text}</span>;
  const lines = Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [text];
  return <pre className="sl-json">{lines.join('\n')}</pre>;
};
