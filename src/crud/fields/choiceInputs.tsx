import { useTranslate } from 'ra-core';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { Filters } from '../../providers/filters';
import { Picker } from '../../ui/Picker';
import { findEntity } from '../shared/entities';
import { attributes, type InputProps } from './inputProps';
import { grantableRoles, optionFilter } from './pickerOptions';
import { RowPicker } from './RowPicker';
import { SelectInput } from './SelectInput';

/** Select for a field with a fixed set of values. */
export const ChoiceInput = (props: InputProps) => {
  const translate = useTranslate();
  const { entity, source, field, value } = props;
  const hasEmptyOption = !field.required || value === null || value === undefined || value === '';
  return (
    <SelectInput {...props}>
      {hasEmptyOption && <option value="">{field.required ? translate('form.choose') : '–'}</option>}
      {field.choices?.map((choice) => (
        <option key={choice} value={choice}>
          {translate(`resources.${entity.name}.choices.${source}.${choice}`, { _: choice })}
        </option>
      ))}
    </SelectInput>
  );
};

/** Switch for yes or no. */
export const BooleanInput = (props: InputProps) => {
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
 * Picker for one or several rows of another entity. Offers only rows that match related values chosen before, such as
 * the locations of the chosen fleet.
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
  const commonReferences =
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
    ...Object.fromEntries(commonReferences.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
  } as Filters;
  return (
    <RowPicker
      entity={target}
      id={props.id}
      value={ids}
      multiple={multiple}
      filter={filter}
      narrow={field.to === 'roles' ? grantableRoles : undefined}
      disabled={props.disabled}
      invalid={props.invalid}
      required={props.required}
      describedBy={props.describedBy}
      onChange={(next) => onChange(multiple ? next : (next.at(-1) ?? null))}
    />
  );
};

/** Input for tags; Enter or a comma completes a tag. */
export const TagsInput = (props: InputProps) => {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const tags = (props.value as string[] | null) ?? [];
  const add = (typedText: string) => {
    const newTags = typedText
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !tags.includes(tag));
    if (newTags.length > 0) props.onChange([...tags, ...new Set(newTags)]);
    setText('');
  };
  const { ref, id, disabled, onBlur, ...input } = attributes(props);
  return (
    <Picker<string, true, true>
      id={id}
      disabled={disabled}
      multiple
      freeSolo
      options={[]}
      getOptionLabel={(tag) => tag}
      value={tags}
      onChange={(_, next, reason) => (reason === 'createOption' ? add(text) : props.onChange(next))}
      inputValue={text}
      onInputChange={(_, next, reason) => reason === 'input' && (next.includes(',') ? add(next) : setText(next))}
      onBlur={() => {
        add(text);
        onBlur();
      }}
      input={{ ...input, placeholder: tags.length === 0 ? translate('form.add_tag') : undefined }}
    />
  );
};
