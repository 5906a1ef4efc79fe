import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { IconButton } from './IconButton';

interface FormFieldProps extends ComponentProps<'input'> {
  label: string;
  /** Validation message. */
  problem?: string;
  /** A sentence or a list below the input. */
  help?: ReactNode;
}

/** A labelled input with help and validation message below it. Passwords can be revealed. */
export const FormField = ({ label, problem, help, type = 'text', required, ...input }: FormFieldProps) => {
  const translate = useTranslate();
  const id = useId();
  const [isRevealed, setRevealed] = useState(false);
  const isPassword = type === 'password';
  const descriptionIds = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div className="sl-field" data-wrong={problem !== undefined}>
      <label htmlFor={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      <div className="sl-field-box">
        <input
          {...input}
          id={id}
          type={isPassword && isRevealed ? 'text' : type}
          aria-required={required}
          aria-invalid={problem !== undefined}
          aria-describedby={descriptionIds || undefined}
        />
        {isPassword && (
          <IconButton
            icon={isRevealed ? 'hide' : 'show'}
            label={translate('login.show_password')}
            size={20}
            aria-pressed={isRevealed}
            title={translate(isRevealed ? 'login.hide_password' : 'login.show_password')}
            onClick={() => setRevealed(!isRevealed)}
          />
        )}
      </div>
      {help && (
        <div className="sl-field-help" id={`${id}-help`}>
          {help}
        </div>
      )}
      {problem && (
        <p className="sl-field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
};
