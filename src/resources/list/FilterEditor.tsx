import { useTranslate } from 'ra-core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { formatDuration } from '../../i18n/format';
import type { FilterValue } from '../../providers/filter';
import { entityNamed } from '../entities';
import { useLanguage } from '../language';
import { DayBox } from '../parts/DayBox';
import { RowPicker } from '../parts/RowPicker';
import { readDecimal, readDuration } from '../parts/typed';
import { choiceLabel, endsOf, type FilterForm, formFor, isNothingAsked, listOf, rangeOf } from './filters';

interface FilterEditorProps {
  entity: Entity;
  path: string;
  field: Field;
  value: FilterValue | undefined;
  onChange: (value: FilterValue | undefined) => void;
  close: () => void;
}

/** Asks for the values of one filter, as its kind needs it. Takes the focus: its code may arrive after the panel opened. */
export const FilterEditor = (props: FilterEditorProps) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  return <div ref={box}>{editors[formFor(props.field)](props)}</div>;
};

const editors: Record<FilterForm, (props: FilterEditorProps) => ReactNode> = {
  words: (props) => <Words {...props} />,
  range: (props) => <Range {...props} />,
  choices: (props) => <Choices {...props} />,
  truth: (props) => <Truth {...props} />,
  rows: (props) => <Rows {...props} />,
  none: () => null,
};

const Words = ({ value, onChange, close }: FilterEditorProps) => {
  const translate = useTranslate();
  const [text, setText] = useState(isNothingAsked(value) ? '' : listOf(value).join(', '));
  return (
    <Form
      onSubmit={() => {
        close();
        onChange(text.trim() === '' ? undefined : [text]);
      }}
    >
      <label className="sl-filter-field">
        {translate('filters.contains')}
        <input className="sl-input" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <EmptyToo value={value} onChange={onChange} close={close} />
    </Form>
  );
};

/** Numbers, days, durations: from, to, or both. */
const Range = ({ field, value, onChange, close }: FilterEditorProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const isDay = field.kind === 'date' || field.kind === 'instant';
  const isTime = field.unit === 's';
  const shown = (end: string) => (isTime && end !== '' ? formatDuration(Number(end), language).replace(' h', '') : end);
  const ends = endsOf(value);
  const [from, setFrom] = useState(shown(ends.from));
  const [to, setTo] = useState(shown(ends.to));
  const read = (text: string) => (text.trim() === '' || isDay ? text : isTime ? String(readDuration(text) ?? '') : readDecimal(text, language));
  const box = (label: string, text: string, set: (text: string) => void) => (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of the two boxes inside
    <label className="sl-filter-field">
      {translate(label)}
      {isDay ? (
        <DayBox value={text} onChange={set} />
      ) : (
        <input className="sl-input" inputMode="decimal" value={text} placeholder={isTime ? 'h:mm' : undefined} onChange={({ target }) => set(target.value)} />
      )}
    </label>
  );
  return (
    <Form
      onSubmit={() => {
        close();
        onChange(rangeOf(read(from), read(to)));
      }}
    >
      <div className="sl-filter-ends">
        {box(isDay ? 'filters.from' : 'filters.at_least', from, setFrom)}
        {box(isDay ? 'filters.to' : 'filters.at_most', to, setTo)}
      </div>
      <EmptyToo value={value} onChange={onChange} close={close} />
    </Form>
  );
};

const Choices = ({ entity, path, field, value, onChange }: FilterEditorProps) => {
  const translate = useTranslate();
  const chosen = listOf(value).map(String);
  const toggle = (choice: string) => {
    const next = chosen.includes(choice) ? chosen.filter((other) => other !== choice) : [...chosen, choice];
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className="sl-filter-choices">
      <legend className="sl-hidden">{translate('filters.is')}</legend>
      {field.choices?.map((choice) => (
        <label key={choice}>
          <input type="checkbox" checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
          {choiceLabel(entity.name, path, choice, translate)}
        </label>
      ))}
    </fieldset>
  );
};

const Truth = ({ entity, path, value, onChange }: FilterEditorProps) => {
  const translate = useTranslate();
  const option = (label: string, answer: boolean | undefined) => (
    <label>
      <input
        type="radio"
        name="truth"
        checked={value === undefined ? answer === undefined : String(value) === String(answer)}
        onChange={() => onChange(answer)}
      />
      {translate(`resources.${entity.name}.choices.${path}.${answer}`, { _: translate(label) })}
    </label>
  );
  return (
    <fieldset className="sl-filter-choices">
      <legend className="sl-hidden">{translate('filters.is')}</legend>
      {option('frame.yes', true)}
      {option('frame.no', false)}
    </fieldset>
  );
};

const Rows = ({ field, path, value, onChange, close }: FilterEditorProps) => {
  const translate = useTranslate();
  const target = entityNamed(field.to);
  const ids = listOf(value)
    .filter((id) => id !== null && id !== 'null')
    .map(Number);
  if (!target) return null;
  return (
    <div className="sl-filter-rows">
      <RowPicker
        entity={target}
        label={translate(`resources.${target.name}.plural`)}
        value={ids}
        multiple
        onChange={(next) => onChange(next.length > 0 ? next : undefined)}
      />
      {!path.includes('.') && field.kind === 'ref' && field.required !== true && <EmptyToo value={value} onChange={onChange} close={close} />}
    </div>
  );
};

/** Asks for the rows without a value. */
const EmptyToo = ({ value, onChange, close }: Pick<FilterEditorProps, 'value' | 'onChange' | 'close'>) => {
  const translate = useTranslate();
  return (
    <label className="sl-filter-empty">
      <input
        type="checkbox"
        checked={isNothingAsked(value)}
        onChange={({ target }) => {
          close();
          onChange(target.checked ? 'null' : undefined);
        }}
      />
      {translate('filters.empty')}
    </label>
  );
};

const Form = ({ children, onSubmit }: { children: ReactNode; onSubmit: () => void }) => {
  const translate = useTranslate();
  return (
    <form
      className="sl-filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSubmit();
      }}
    >
      {children}
      <button type="submit" className="sl-button sl-button-primary">
        {translate('filters.apply')}
      </button>
    </form>
  );
};
