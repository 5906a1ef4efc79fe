import type { ReactNode } from 'react';
import { attributes, type InputProps, inputText } from './inputProps';

/** Native select for a field; its children are the options, and the empty option means null. */
export const SelectInput = ({ children, ...props }: InputProps & { children: ReactNode }) => (
  <select
    className="sl-select"
    {...attributes(props)}
    value={inputText(props.value)}
    onChange={({ target }) => props.onChange(target.value === '' ? null : target.value)}
  >
    {children}
  </select>
);
