import { useState } from 'react';
import { readJson } from '../../../schema/dsl/shapes';
import { attributes, type InputProps } from './inputProps';

const printJson = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Text input for a JSON value. Keeps invalid JSON as text, so that validation can report it. */
export const JsonInput = (props: InputProps) => {
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  // The typed format, such as line breaks, is shown until the value changes otherwise, as when changes are discarded.
  const isTyped = typed !== undefined && JSON.stringify(typed.value) === JSON.stringify(props.value);
  const handleText = (text: string) => {
    const value = text.trim() === '' ? null : readJson(text);
    setTyped({ text, value });
    props.onChange(value);
  };
  return (
    <textarea
      className="sl-input sl-textarea sl-json"
      rows={4}
      spellCheck={false}
      {...attributes(props)}
      value={isTyped ? typed.text : printJson(props.value)}
      onChange={({ target }) => handleText(target.value)}
    />
  );
};
