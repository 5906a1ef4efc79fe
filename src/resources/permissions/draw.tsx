/** How permissions draw their own fields: what the product named is said in the reader's language. */
import { permissionName } from '../../i18n/permissions';
import type { Shown } from '../parts/shown';

export const permissionFields = {
  name: ({ record, value, language }: Shown) => <>{permissionName({ name: String(value), code_name: String(record.code_name ?? '') }, language)}</>,
};
