import { useTranslate } from 'ra-core';
import { type ComponentProps, useRef, useState } from 'react';
import { formatDate } from '../../i18n/format';
import { IconButton } from '../../ui/IconButton';
import { parseDay } from './parseInput';

interface DayBoxProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  /** `YYYY-MM-DD`, or the typed text while it is not a valid day. */
  value: string | null | undefined;
  /** Called with the day, the typed text if it is not a day, or an empty text. */
  onChange: (value: string) => void;
}

/** Input for a day: accepts dd.mm.yyyy, reports `YYYY-MM-DD`. A button opens the browser's calendar. */
export const DayBox = ({ value, onChange, ...input }: DayBoxProps) => {
  const translate = useTranslate();
  const calendar = useRef<HTMLInputElement>(null);
  const [typedText, setTypedText] = useState<string>();
  const day = value ?? '';
  const handleText = (text: string) => {
    setTypedText(text);
    onChange(text.trim() === '' ? '' : (parseDay(text) ?? text));
  };
  return (
    <span className="sl-day">
      <input
        className="sl-input"
        inputMode="numeric"
        autoComplete="off"
        placeholder={translate('form.date_placeholder')}
        {...input}
        value={typedText ?? formatDate(day)}
        onChange={({ target }) => handleText(target.value)}
        onBlur={(event) => {
          setTypedText(undefined);
          input.onBlur?.(event);
        }}
      />
      <input
        ref={calendar}
        type="date"
        className="sl-day-calendar"
        tabIndex={-1}
        aria-hidden="true"
        value={/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : ''}
        onChange={({ target }) => {
          setTypedText(undefined);
          onChange(target.value);
        }}
      />
      <IconButton
        icon="calendar"
        label={translate('form.open_calendar')}
        disabled={input.disabled}
        onClick={() => calendar.current?.showPicker()}
      />
    </span>
  );
};
