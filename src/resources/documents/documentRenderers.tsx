/** Renderers of document fields: sizes in suitable units, and file types as file extensions. */

import type { DisplayProps } from '../../crud/fields/renderers';
import { formatSize } from '../../i18n/format';

export const documentRenderers = {
  size: ({ value, language }: DisplayProps) => (
    <span className="sl-numeral">{formatSize(Number(value), language)}</span>
  ),
  media_type: ({ value }: DisplayProps) => (
    <span title={String(value)}>{extensions[String(value)] ?? String(value)}</span>
  ),
};

const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};
