import { useState } from 'react';
import { readJson } from '../../../schema/dsl/shapes';
import { attributes, type InputProps } from './inputProps';

const printJson = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Text input for a JSON value. Keeps invalid JSON as text, so that validation can report it. */
export const JsonInput = (props: InputProps) => {
  const [typedText, setTypedText] = useState<string>();
  const handleText = (text: string) => {
    setTypedText(text);
    props.onChange(text.trim() === '' ? null : readJson(text));
  };
  return (
    <textarea
      className="sl-input sl-textarea sl-json"
      rows={4}
      spellCheck={false}
      {...attributes(props)}
      value={typedText ?? printJson(props.value)}
      onChange={({ target }) => handleText(target.value)}
    />
  );
};
