import { useTranslate } from 'react-admin';
import type { Field } from '../../../schema/dsl/field';
import { readJson } from '../../../schema/dsl/shapes';
import { RowPicker } from '../fields/RowPicker';
import { findEntity } from '../shared/entities';

interface FieldValueProps {
  resource: string;
  name: string;
  field: Field;
  /** The value in the format of a file's cell: a choice, `true` or `false`, an id, several ids as JSON, else text. */
  value: string;
  onValue: (value: string) => void;
  label: string;
  id?: string;
  required?: boolean;
}

/** Input for one value of a field, outside of an entity's form. */
export const FieldValue = ({ resource, name, field, value, onValue, label, id, required }: FieldValueProps) => {
  const translate = useTranslate();
  const target = findEntity(field.to);
  if (target) {
    const isList = field.kind === 'refs';
    return (
      <RowPicker
        id={id}
        entity={target}
        label={label}
        required={required}
        multiple={isList}
        value={idsIn(value)}
        onChange={(ids) => onValue(ids.length === 0 ? '' : isList ? JSON.stringify(ids) : String(ids[0]))}
      />
    );
  }
  const options = optionsOf(resource, name, field);
  if (options)
    return (
      <select
        id={id}
        className="sl-select"
        aria-label={label}
        aria-required={required}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      >
        <option value="">{translate('form.choose')}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {translate(text)}
          </option>
        ))}
      </select>
    );
  return (
    <input
      id={id}
      aria-label={label}
      aria-required={required}
      value={value}
      onChange={({ target }) => onValue(target.value)}
    />
  );
};

/** Values of a field with a fixed set, each with its text key; `undefined` for other fields. */
const optionsOf = (resource: string, name: string, { kind, choices }: Field): [string, string][] | undefined =>
  kind === 'boolean'
    ? [
        ['true', 'frame.yes'],
        ['false', 'frame.no'],
      ]
    : choices?.map((choice): [string, string] => [choice, `resources.${resource}.choices.${name}.${choice}`]);

/** The ids of a value; none for other text, which only API clients can have set. */
const idsIn = (value: string): number[] =>
  [readJson(value)].flat().filter((id): id is number => typeof id === 'number');
