import { useTranslate } from 'react-admin';
import { FormField } from '../../ui/FormField';
import type { ServerField } from '../../ui/useServerForm';

/** Input for a code from the authenticator app; also for a recovery code, if `help` says so. */
export const CodeField = ({ field, help }: { field: ServerField; help: string }) => (
  <FormField
    label={useTranslate()('login.code')}
    autoComplete="one-time-code"
    maxLength={20}
    help={help}
    required
    {...field}
  />
);
