import { FormField } from '../../ui/FormField';
import type { ServerField } from '../../ui/useServerForm';
import { PasswordRules } from './PasswordRules';

type Name = 'password' | 'password_confirmation';

interface NewPasswordProps {
  labels: Record<Name, string>;
  /** The currently typed password. */
  typedPassword: string;
  fieldAt: (name: Name) => ServerField;
}

/** Inputs for a new password, entered twice, with the password rules. */
export const NewPassword = ({ labels, typedPassword, fieldAt }: NewPasswordProps) => (
  <>
    <FormField
      label={labels.password}
      type="password"
      autoComplete="new-password"
      help={<PasswordRules password={typedPassword} />}
      required
      {...fieldAt('password')}
    />
    <FormField
      label={labels.password_confirmation}
      type="password"
      autoComplete="new-password"
      required
      {...fieldAt('password_confirmation')}
    />
  </>
);
