import type { UseFormRegisterReturn } from 'react-hook-form';
import { FormField } from '../../ui/FormField';
import { PasswordRules } from './PasswordRules';

type Name = 'password' | 'password_confirmation';

interface NewPasswordProps {
  labels: Record<Name, string>;
  /** The currently typed password. */
  typed: string;
  register: (name: Name) => UseFormRegisterReturn;
  problemAt: (name: Name) => string | undefined;
}

/** Form part for a new password: with its rules, typed twice. */
export const NewPassword = ({ labels, typed, register, problemAt }: NewPasswordProps) => (
  <>
    <FormField
      label={labels.password}
      type="password"
      autoComplete="new-password"
      problem={problemAt('password')}
      help={<PasswordRules password={typed} />}
      required
      {...register('password')}
    />
    <FormField
      label={labels.password_confirmation}
      type="password"
      autoComplete="new-password"
      problem={problemAt('password_confirmation')}
      required
      {...register('password_confirmation')}
    />
  </>
);
