import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { type HoursSpan, isSpan } from '../../../schema/dsl/hours';
import { IconButton } from '../../ui/IconButton';
import { parseTime } from './parseInput';

/** The initial span of a day. Keys are in the order of `jsonb`, so that equal hours have equal JSON. */
export const defaultSpan: HoursSpan = { to: '18:00', from: '08:00' };

interface SpansInputProps {
  /** Accessible name of the day: a weekday, or public holidays. */
  name: string;
  spans: readonly HoursSpan[];
  disabled: boolean;
  onChange: (spans: HoursSpan[]) => void;
  /** Copies the spans to all weekdays. */
  onCopy?: () => void;
}

/** The spans of one day, each with its opening and closing time. */
export const SpansInput = ({ name, spans, disabled, onChange, onCopy }: SpansInputProps) => {
  const translate = useTranslate();
  const changeSpan = (index: number, changes: Partial<HoursSpan>) =>
    onChange(spans.map((span, spanIndex) => (spanIndex === index ? { ...span, ...changes } : span)));
  const lastEnd = spans.at(-1)?.to;
  return (
    <div className="sl-hours-spans">
      {spans.length === 0 && <span className="sl-hours-closed">{translate('hours.closed')}</span>}
      {spans.map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their position
        <span key={index} className="sl-hours-span">
          <TimeBox
            label={translate('hours.opens', { day: name })}
            value={span.from}
            invalid={!isSpan(span)}
            disabled={disabled}
            onChange={(from) => changeSpan(index, { from })}
          />
          <span aria-hidden="true">–</span>
          <TimeBox
            label={translate('hours.closes', { day: name })}
            value={span.to}
            invalid={!isSpan(span)}
            disabled={disabled}
            onChange={(to) => changeSpan(index, { to })}
          />
          <IconButton
            icon="close"
            label={translate('hours.remove_span', { day: name, span: `${span.from}–${span.to}` })}
            disabled={disabled}
            onClick={() => onChange(spans.filter((_, spanIndex) => spanIndex !== index))}
          />
        </span>
      ))}
      <IconButton
        icon="plus"
        label={translate('hours.add_span', { day: name })}
        disabled={disabled}
        onClick={() => onChange([...spans, lastEnd ? { to: '', from: lastEnd } : defaultSpan])}
      />
      {onCopy && (
        <IconButton icon="copy" label={translate('hours.copy', { day: name })} disabled={disabled} onClick={onCopy} />
      )}
    </div>
  );
};

interface TimeBoxProps {
  label: string;
  value: string;
  invalid: boolean;
  disabled: boolean;
  onChange: (value: string) => void;
}

/** Time input. Keeps text that is not a time, so that validation can report it. */
const TimeBox = ({ label, value, invalid, disabled, onChange }: TimeBoxProps) => {
  const [typedText, setTypedText] = useState<string>();
  return (
    <input
      className="sl-input sl-hours-time"
      inputMode="numeric"
      autoComplete="off"
      placeholder="00:00"
      aria-label={label}
      aria-invalid={invalid}
      disabled={disabled}
      value={typedText ?? value}
      onChange={({ target }) => {
        setTypedText(target.value);
        onChange(parseTime(target.value) ?? target.value);
      }}
      onBlur={() => setTypedText(undefined)}
    />
  );
};
