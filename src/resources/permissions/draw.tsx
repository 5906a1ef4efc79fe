/** How permissions draw their own fields: what the product named is said in the reader's language. */

import type { Shown } from '../../crud/fields/shown';
import { permissionName } from '../../i18n/permissions';

export const permissionFields = {
  name: ({ record, value, language }: Shown) => (
    <>{permissionName({ name: String(value), code_name: String(record.code_name ?? '') }, language)}</>
  ),
};
