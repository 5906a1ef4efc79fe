import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { Filters } from '../../providers/filter';
import { Icon } from '../../ui/Icon';
import { findEntity } from '../shared/entities';
import { attributes, type InputProps, inputText } from './inputProps';
import { givable, optionFilter } from './offered';
import { RowPicker } from './RowPicker';

/** Select for a closed set of words. */
export const AskChoice = (props: InputProps) => {
  const translate = useTranslate();
  const { entity, source, field, value, onChange } = props;
  const open = !field.required || value === null || value === undefined || value === '';
  return (
    <select
      className="sl-select"
      {...attributes(props)}
      value={inputText(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      {open && <option value="">{field.required ? translate('form.choose') : '–'}</option>}
      {field.choices?.map((choice) => (
        <option key={choice} value={choice}>
          {translate(`resources.${entity.name}.choices.${source}.${choice}`, { _: choice })}
        </option>
      ))}
    </select>
  );
};

/** Yes or no, as a switch. */
export const AskBoolean = (props: InputProps) => {
  const translate = useTranslate();
  return (
    <span className="sl-switch">
      <input
        type="checkbox"
        role="switch"
        {...attributes({ ...props, required: false })}
        aria-checked={props.value === true}
        checked={props.value === true}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      <span aria-hidden="true">{translate(props.value === true ? 'frame.yes' : 'frame.no')}</span>
    </span>
  );
};

/**
 * Picker for one or several rows of another entity. Offers only rows that belong to related values already chosen, such
 * as the locations of the chosen fleet.
 */
export const ReferenceInput = (props: InputProps) => {
  const { entity, source, field, value, onChange } = props;
  const { control } = useFormContext();
  const values = useWatch({ control }) as Record<string, unknown>;
  const target = findEntity(field.to);
  if (!target) return null;
  const multiple = field.kind === 'refs';
  const ids =
    (multiple ? (value as number[] | null) : value === null || value === undefined ? [] : [value as number]) ?? [];
  const shared =
    multiple || target.scope === 'shared'
      ? []
      : Object.keys(entity.fields).filter(
          (name) =>
            name !== source &&
            entity.fields[name]?.kind === 'ref' &&
            !entity.fields[name]?.through &&
            target.fields[name]?.kind === 'ref',
        );
  const filter = {
    ...optionFilter(entity, source, values),
    ...Object.fromEntries(shared.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
  } as Filters;
  return (
    <RowPicker
      entity={target}
      id={props.id}
      value={ids}
      multiple={multiple}
      filter={filter}
      narrow={field.to === 'roles' ? givable : undefined}
      disabled={props.disabled}
      invalid={props.invalid}
      required={props.required}
      describedBy={props.describedBy}
      onChange={(next) => onChange(multiple ? next : (next.at(-1) ?? null))}
    />
  );
};

/** Input for tags; Enter or a comma completes one. */
export const AskTags = (props: InputProps) => {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const tags = (props.value as string[] | null) ?? [];
  const add = () => {
    const added = text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !tags.includes(tag));
    if (added.length > 0) props.onChange([...tags, ...new Set(added)]);
    setText('');
  };
  return (
    <span className="sl-picker-box">
      {tags.map((tag) => (
        <span key={tag} className="sl-tag">
          {tag}
          <button
            type="button"
            aria-label={translate('form.remove_tag', { tag })}
            disabled={props.disabled}
            onClick={() => props.onChange(tags.filter((other) => other !== tag))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <input
        type="text"
        {...attributes(props)}
        placeholder={tags.length === 0 ? translate('form.add_tag') : undefined}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && text === '') props.onChange(tags.slice(0, -1));
          if ((event.key !== 'Enter' && event.key !== ',') || (event.key === 'Enter' && text === '')) return;
          event.preventDefault();
          add();
        }}
        onBlur={() => {
          add();
          props.onBlur();
        }}
      />
    </span>
  );
};
