import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { IconButton } from '../../ui/IconButton';
import { attributes, type InputProps, inputText } from './inputProps';

/** Input for a new password, which can be revealed. The help text below lists the password rules. */
export const PasswordInput = (props: InputProps) => {
  const translate = useTranslate();
  const [revealed, setRevealed] = useState(false);
  return (
    <span className="sl-with-unit">
      <input
        className="sl-input"
        type={revealed ? 'text' : 'password'}
        autoComplete="new-password"
        {...attributes(props)}
        value={inputText(props.value)}
        onChange={({ target }) => props.onChange(target.value === '' ? null : target.value)}
      />
      <IconButton
        icon={revealed ? 'hide' : 'show'}
        label={translate('form.show_password')}
        aria-pressed={revealed}
        title={translate(revealed ? 'form.hide_password' : 'form.show_password')}
        onClick={() => setRevealed(!revealed)}
      />
    </span>
  );
};
