/** Renderers of document fields: sizes in a suitable unit, file types by extension. */

import type { Shown } from '../../crud/fields/shown';
import { formatSize } from '../../i18n/format';

export const documentFields = {
  size: ({ value, language }: Shown) => <span className="sl-numeral">{formatSize(Number(value), language)}</span>,
  media_type: ({ value }: Shown) => <span title={String(value)}>{endings[String(value)] ?? String(value)}</span>,
};

const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};
