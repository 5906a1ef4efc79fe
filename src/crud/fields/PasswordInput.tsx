import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { IconButton } from '../../ui/IconButton';
import { attributes, type InputProps, inputText } from './inputProps';

/** Input for a new password, which can be isRevealed. The help text below lists the password rules. */
export const PasswordInput = (props: InputProps) => {
  const translate = useTranslate();
  const [isRevealed, setRevealed] = useState(false);
  return (
    <span className="sl-with-unit">
      <input
        className="sl-input"
        type={isRevealed ? 'text' : 'password'}
        autoComplete="new-password"
        {...attributes(props)}
        value={inputText(props.value)}
        onChange={({ target }) => props.onChange(target.value === '' ? null : target.value)}
      />
      <IconButton
        icon={isRevealed ? 'hide' : 'show'}
        label={translate('form.show_password')}
        aria-pressed={isRevealed}
        title={translate(isRevealed ? 'form.hide_password' : 'form.show_password')}
        onClick={() => setRevealed(!isRevealed)}
      />
    </span>
  );
};
