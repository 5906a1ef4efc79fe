/** Renderers of permission fields: built-in names in the user's language. */

import type { Shown } from '../../crud/fields/shown';
import { permissionName } from '../../i18n/permissions';

export const permissionFields = {
  name: ({ record, value, language }: Shown) => (
    <>{permissionName({ name: String(value), code_name: String(record.code_name ?? '') }, language)}</>
  ),
};
