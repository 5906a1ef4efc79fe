import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { formatExactDuration } from '../../i18n/format';
import { useLanguage } from '../shared/useLanguage';
import { DayBox } from './DayBox';
import { attributes, type InputProps, inputText } from './inputProps';
import { decimalSeparator, parseDecimal, parseDuration } from './parseInput';

const inputTypes: Partial<Record<InputProps['field']['kind'], { type: string; autoComplete?: string }>> = {
  email: { type: 'email', autoComplete: 'off' },
  phone: { type: 'tel' },
};

/** Single-line text input. */
export const TextInput = (props: InputProps) => {
  const hasDigitsOnly = props.field.format === 'digits';
  return (
    <input
      className="sl-input"
      type="text"
      inputMode={hasDigitsOnly ? 'numeric' : undefined}
      {...inputTypes[props.field.kind]}
      {...attributes(props)}
      value={inputText(props.value)}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
};

export const LongTextInput = (props: InputProps) => (
  <textarea
    className="sl-input sl-textarea"
    rows={4}
    {...attributes(props)}
    value={inputText(props.value)}
    onChange={({ target }) => props.onChange(target.value)}
  />
);

/** Number input that accepts a comma or point. Keeps text that is not a number, so that validation can report it. */
export const NumberInput = (props: InputProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const { field, value, onChange } = props;
  const [typedText, setTypedText] = useState<string>();
  const isMoney = field.kind === 'money';
  const handleText = (text: string) => {
    setTypedText(text);
    const decimal = parseDecimal(text, language);
    const number = Number(decimal);
    if (decimal === '') onChange(null);
    else onChange(isMoney || Number.isNaN(number) ? decimal : number);
  };
  const input = (
    <input
      className="sl-input sl-number"
      type="text"
      inputMode="decimal"
      {...attributes(props)}
      value={typedText ?? inputText(value).replace('.', decimalSeparator(language))}
      onChange={({ target }) => handleText(target.value)}
      onBlur={() => {
        setTypedText(undefined);
        props.onBlur();
      }}
    />
  );
  if (!field.unit) return input;
  return (
    <span className="sl-with-unit">
      {input}
      <span className="sl-unit-after" aria-hidden="true">
        {translate(`units.${field.unit}`)}
      </span>
    </span>
  );
};

/** Duration input in hours and minutes. The value is in seconds. */
export const DurationInput = (props: InputProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const [typedText, setTypedText] = useState<string>();
  const text =
    typeof props.value === 'number'
      ? formatExactDuration(props.value, language).replace(/\sh$/, '')
      : inputText(props.value);
  return (
    <span className="sl-with-unit">
      <input
        className="sl-input sl-number"
        type="text"
        inputMode="text"
        placeholder="0:00"
        {...attributes(props)}
        value={typedText ?? text}
        onChange={({ target }) => {
          setTypedText(target.value);
          props.onChange(target.value.trim() === '' ? null : (parseDuration(target.value) ?? target.value));
        }}
        onBlur={() => {
          setTypedText(undefined);
          props.onBlur();
        }}
      />
      <span className="sl-unit-after" aria-hidden="true">
        {translate('form.hours')}:{translate('form.minutes')}
      </span>
    </span>
  );
};

export const DateInput = (props: InputProps) => (
  <DayBox
    {...attributes(props)}
    value={inputText(props.value)}
    onChange={(value) => props.onChange(value === '' ? null : value)}
  />
);

/** The browser's date and time input, in the user's time zone. */
export const InstantInput = (props: InputProps) => {
  const instant = new Date(inputText(props.value));
  const localText = Number.isNaN(instant.getTime())
    ? ''
    : new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return (
    <input
      className="sl-input"
      type="datetime-local"
      {...attributes(props)}
      value={localText}
      onChange={({ target }) => props.onChange(target.value === '' ? null : new Date(target.value).toISOString())}
    />
  );
};

/** Colour input: the hexadecimal code, and the browser's colour picker as a swatch. */
export const ColorInput = (props: InputProps) => {
  const translate = useTranslate();
  const value = inputText(props.value);
  return (
    <span className="sl-color">
      <input
        type="color"
        aria-label={translate('form.choose')}
        disabled={props.disabled}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
        onChange={({ target }) => props.onChange(target.value)}
      />
      <input
        className="sl-input"
        type="text"
        {...attributes(props)}
        value={value}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </span>
  );
};
