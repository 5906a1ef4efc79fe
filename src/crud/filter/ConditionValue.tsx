import { useTranslate } from 'ra-core';
import { type ReactNode, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { formatDuration } from '../../i18n/format';
import { DayBox } from '../fields/DayBox';
import { decimalSeparator, parseDecimal, parseDuration } from '../fields/parseInput';
import { RowPicker } from '../fields/RowPicker';
import { findEntity } from '../shared/entities';
import { choiceLabel, entityAtPath, inputKindOf } from '../shared/filters';
import { useLanguage } from '../shared/useLanguage';
import { type Condition, findOperators, isDayField } from './conditions';

export interface ValueProps {
  entity: Entity;
  field: Field;
  condition: Condition;
  /** Accessible name of the inputs. */
  label: string;
  invalid: boolean;
  describedBy?: string;
  onChange: (values: string[]) => void;
}

/** Inputs for the values of a condition, by field and operator. */
export const ConditionValue = (props: ValueProps) => {
  const { field, condition } = props;
  const inputKind = inputKindOf(field);
  // Decided once, so that the input for lines remains while only one line is left.
  const [hasSeveralValues] = useState(condition.values.length > 1);
  if (condition.operator === 'empty' || condition.operator === 'filled') return null;
  if (inputKind === 'choices') return <Choices {...props} />;
  if (inputKind === 'boolean') return <YesOrNo {...props} />;
  if (inputKind === 'rows') return <RowValues {...props} />;
  if (['last', 'next', 'older'].includes(condition.operator)) return <DayCount {...props} />;
  const isMultiple = ['one_of', 'none_of'].includes(condition.operator) || (inputKind === 'text' && hasSeveralValues);
  if (isMultiple) return <ValueLines {...props} />;
  return condition.operator === 'between' ? <RangeValue {...props} /> : <SingleValue {...props} index={0} />;
};

const attributesOf = ({ label, invalid, describedBy }: ValueProps) => ({
  'aria-label': label,
  'aria-invalid': invalid,
  'aria-describedby': describedBy,
});

/** Input for one value: text, number with unit, duration or day. */
const SingleValue = (props: ValueProps & { index: number }) => {
  const { field, condition, index, onChange } = props;
  const translate = useTranslate();
  const language = useLanguage();
  const isDuration = field.unit === 's';
  const value = condition.values[index] ?? '';
  const [text, setText] = useState(() => printValue(field, value, language));
  const changeText = (next: string) => {
    const values = [...condition.values];
    values[index] = next;
    // The first value of a range is a hole while only the second one is filled in.
    onChange(Array.from(values, (entry) => entry ?? ''));
  };
  if (isDayField(field)) return <DayBox {...attributesOf(props)} value={value} onChange={changeText} />;
  const isNumber = inputKindOf(field) === 'range';
  return (
    <span className="sl-condition-one">
      <input
        className="sl-input"
        {...attributesOf(props)}
        inputMode={isNumber ? 'decimal' : undefined}
        placeholder={isDuration ? 'h:mm' : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          changeText(isNumber ? parseNumber(field, target.value, language) : target.value);
        }}
      />
      {field.unit && <span className="sl-condition-unit">{isDuration ? 'h' : translate(`units.${field.unit}`)}</span>}
    </span>
  );
};

/** Parses a typed number or duration to the list dialect. Keeps other text, so that validation can report it. */
function parseNumber(field: Field, text: string, language: Parameters<typeof parseDecimal>[1]): string {
  if (text.trim() === '') return '';
  return field.unit === 's' ? String(parseDuration(text) ?? text) : parseDecimal(text, language);
}

function printValue(field: Field, value: string, language: Parameters<typeof parseDecimal>[1]): string {
  if (value === '' || inputKindOf(field) !== 'range' || Number.isNaN(Number(value))) return value;
  return field.unit === 's'
    ? formatDuration(Number(value), language).replace(/\s*h$/, '')
    : value.replace('.', decimalSeparator(language));
}

const RangeValue = (props: ValueProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-condition-ends">
      <SingleValue {...props} label={`${props.label} (${translate('filters.from')})`} index={0} />
      <span aria-hidden="true">–</span>
      <SingleValue {...props} label={`${props.label} (${translate('filters.to')})`} index={1} />
    </div>
  );
};

const DayCount = (props: ValueProps) => {
  const translate = useTranslate();
  return (
    <span className="sl-condition-one">
      <input
        className="sl-input"
        {...attributesOf(props)}
        inputMode="numeric"
        value={props.condition.values[0] ?? ''}
        onChange={({ target }) => props.onChange([target.value.trim()])}
      />
      <span className="sl-condition-unit">{translate('filters.days')}</span>
    </span>
  );
};

/** Input for several values, one per line, as pasted from a spreadsheet. */
const ValueLines = (props: ValueProps) => {
  const { field, condition, onChange } = props;
  const translate = useTranslate();
  const language = useLanguage();
  const [text, setText] = useState(() =>
    condition.values.map((value) => printValue(field, value, language)).join('\n'),
  );
  return (
    <textarea
      className="sl-input sl-textarea"
      {...attributesOf(props)}
      rows={3}
      placeholder={translate('filters.values')}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const lines = target.value.split(/\r?\n/).filter((line) => line.trim() !== '');
        onChange(inputKindOf(field) === 'range' ? lines.map((line) => parseNumber(field, line, language)) : lines);
      }}
    />
  );
};

const ValueGroup = ({ label, invalid, describedBy, children }: ValueProps & { children: ReactNode }) => (
  <fieldset className="sl-condition-pills" aria-invalid={invalid} aria-describedby={describedBy}>
    <legend className="sl-hidden">{label}</legend>
    {children}
  </fieldset>
);

const Choices = (props: ValueProps) => {
  const { entity, field, condition, onChange } = props;
  const translate = useTranslate();
  const owner = entityAtPath(entity, condition.path);
  const name = condition.path.split('.').at(-1) as string;
  const canBeEmpty = findOperators(entity, condition.path).includes('empty');
  const choices = [...(field.choices ?? []), ...(canBeEmpty || condition.values.includes('null') ? ['null'] : [])];
  return (
    <ValueGroup {...props}>
      {choices.map((choice) => {
        const isChosen = condition.values.includes(choice);
        return (
          <button
            key={choice}
            type="button"
            className="sl-facet-pill"
            aria-pressed={isChosen}
            onClick={() =>
              onChange(
                isChosen
                  ? condition.values.filter((other) => other !== choice)
                  : choices.filter((option) => option === choice || condition.values.includes(option)),
              )
            }
          >
            {choice === 'null' ? translate('filters.nothing') : choiceLabel(owner.name, name, choice, translate)}
          </button>
        );
      })}
    </ValueGroup>
  );
};

const YesOrNo = (props: ValueProps) => {
  const translate = useTranslate();
  const { entity, condition, onChange } = props;
  const owner = entityAtPath(entity, condition.path);
  const name = condition.path.split('.').at(-1) as string;
  return (
    <ValueGroup {...props}>
      {['true', 'false'].map((value) => (
        <button
          key={value}
          type="button"
          className="sl-facet-pill"
          aria-pressed={condition.values[0] === value}
          onClick={() => onChange([value])}
        >
          {translate(`resources.${owner.name}.choices.${name}.${value}`, {
            _: translate(value === 'true' ? 'frame.yes' : 'frame.no'),
          })}
        </button>
      ))}
    </ValueGroup>
  );
};

const RowValues = (props: ValueProps) => {
  const { entity, field, condition, label, invalid, describedBy, onChange } = props;
  const translate = useTranslate();
  const target = findEntity(field.to);
  if (!target) return null;
  const canBeEmpty = findOperators(entity, condition.path).includes('empty');
  const ids = condition.values.filter((value) => value !== 'null').map(Number);
  const changeRows = (includesEmpty: boolean, next: readonly number[]) =>
    onChange([...next.map(String), ...(includesEmpty ? ['null'] : [])]);
  const includesEmpty = condition.values.includes('null');
  return (
    <div className="sl-filter-rows">
      <RowPicker
        entity={target}
        label={label}
        invalid={invalid}
        describedBy={describedBy}
        value={ids}
        multiple
        onChange={(next) => changeRows(includesEmpty, next)}
      />
      {canBeEmpty && (ids.length > 0 || includesEmpty) && (
        <label className="sl-filter-empty">
          <input type="checkbox" checked={includesEmpty} onChange={({ target: box }) => changeRows(box.checked, ids)} />
          {translate('filters.or_empty')}
        </label>
      )}
    </div>
  );
};
