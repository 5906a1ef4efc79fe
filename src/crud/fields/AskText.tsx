import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { formatExactDuration } from '../../i18n/format';
import { useLanguage } from '../shared/language';
import { DayBox } from './DayBox';
import { attributes, type InputProps, inputText } from './inputProps';
import { decimalOf, readDecimal, readDuration } from './typed';

const modes: Partial<Record<InputProps['field']['kind'], { type: string; autoComplete?: string }>> = {
  email: { type: 'email', autoComplete: 'off' },
  phone: { type: 'tel' },
};

/** Single-line text input. */
export const AskLine = (asked: InputProps) => {
  const digits = asked.field.format === 'digits';
  return (
    <input
      className="sl-input"
      type="text"
      inputMode={digits ? 'numeric' : undefined}
      {...modes[asked.field.kind]}
      {...attributes(asked)}
      value={inputText(asked.value)}
      onChange={({ target }) => asked.onChange(target.value)}
    />
  );
};

export const AskLong = (asked: InputProps) => (
  <textarea
    className="sl-input sl-textarea"
    rows={4}
    {...attributes(asked)}
    value={inputText(asked.value)}
    onChange={({ target }) => asked.onChange(target.value)}
  />
);

/** Number input that accepts comma and point. Keeps text that is not a number, so that validation can report it. */
export const AskNumber = (asked: InputProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const { field, value, onChange } = asked;
  const [typed, setTyped] = useState<string>();
  const isMoney = field.kind === 'money';
  const take = (text: string) => {
    setTyped(text);
    const plain = readDecimal(text, language);
    const number = Number(plain);
    if (plain === '') onChange(null);
    else onChange(isMoney || Number.isNaN(number) ? plain : number);
  };
  const input = (
    <input
      className="sl-input sl-number"
      type="text"
      inputMode="decimal"
      {...attributes(asked)}
      value={typed ?? inputText(value).replace('.', decimalOf(language))}
      onChange={({ target }) => take(target.value)}
      onBlur={() => {
        setTyped(undefined);
        asked.onBlur();
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

/** Duration input in hours and minutes; the value is in seconds. */
export const AskDuration = (asked: InputProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const [typed, setTyped] = useState<string>();
  const shown =
    typeof asked.value === 'number'
      ? formatExactDuration(asked.value, language).replace(/\sh$/, '')
      : inputText(asked.value);
  return (
    <span className="sl-with-unit">
      <input
        className="sl-input sl-number"
        type="text"
        inputMode="text"
        placeholder="0:00"
        {...attributes(asked)}
        value={typed ?? shown}
        onChange={({ target }) => {
          setTyped(target.value);
          asked.onChange(target.value.trim() === '' ? null : (readDuration(target.value) ?? target.value));
        }}
        onBlur={() => {
          setTyped(undefined);
          asked.onBlur();
        }}
      />
      <span className="sl-unit-after" aria-hidden="true">
        {translate('form.hours')}:{translate('form.minutes')}
      </span>
    </span>
  );
};

export const AskDay = (asked: InputProps) => (
  <DayBox
    {...attributes(asked)}
    value={inputText(asked.value)}
    onChange={(value) => asked.onChange(value === '' ? null : value)}
  />
);

/** The browser's date and time input, in the user's time zone. */
export const AskInstant = (asked: InputProps) => {
  const moment = new Date(inputText(asked.value));
  const local = Number.isNaN(moment.getTime())
    ? ''
    : new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return (
    <input
      className="sl-input"
      type="datetime-local"
      {...attributes(asked)}
      value={local}
      onChange={({ target }) => asked.onChange(target.value === '' ? null : new Date(target.value).toISOString())}
    />
  );
};

/** Colour input: the code, with the browser's picker as a swatch. */
export const AskColor = (asked: InputProps) => {
  const translate = useTranslate();
  const value = inputText(asked.value);
  return (
    <span className="sl-color">
      <input
        type="color"
        aria-label={translate('form.choose')}
        disabled={asked.disabled}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
        onChange={({ target }) => asked.onChange(target.value)}
      />
      <input
        className="sl-input"
        type="text"
        {...attributes(asked)}
        value={value}
        onChange={({ target }) => asked.onChange(target.value)}
      />
    </span>
  );
};
