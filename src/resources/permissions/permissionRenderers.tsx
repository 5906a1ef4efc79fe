/** Renderers of permission fields: built-in names are shown in the user's language. */

import type { DisplayProps } from '../../crud/fields/renderers';
import { permissionName } from '../../i18n/permissions';

export const permissionRenderers = {
  name: ({ record, value, language }: DisplayProps) => (
    <>{permissionName({ name: String(value), code_name: String(record.code_name ?? '') }, language)}</>
  ),
};
