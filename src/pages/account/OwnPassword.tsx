import { useTranslate } from 'react-admin';
import type { CurrentUser } from '../../providers/auth';
import { FormField } from '../../ui/FormField';
import type { ServerField } from '../../ui/useServerForm';

/** Input for the user's current password. The hidden user name is for password managers. */
export const OwnPassword = ({ user, field }: { user: CurrentUser; field: ServerField }) => (
  <>
    <input type="hidden" autoComplete="username" value={user.email} readOnly />
    <FormField
      label={useTranslate()('account.current_password')}
      type="password"
      autoComplete="current-password"
      required
      {...field}
    />
  </>
);
