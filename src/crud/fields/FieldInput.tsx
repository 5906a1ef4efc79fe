import { useTranslate } from 'ra-core';
import { type ReactNode, useContext } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { isEmpty } from '../../../schema/dsl/checks';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { BooleanInput, ChoiceInput, ReferenceInput, TagsInput } from './choiceInputs';
import { HoursInput } from './HoursInput';
import { ImageInput } from './ImageInput';
import { InputOverrides, type InputProps } from './inputProps';
import { JsonInput } from './JsonInput';
import { PasswordInput } from './PasswordInput';
import {
  ColorInput,
  DateInput,
  DurationInput,
  InstantInput,
  LongTextInput,
  NumberInput,
  TextInput,
} from './textInputs';

export interface FieldInputProps<E extends Entity> {
  entity: E;
  source: Extract<keyof E['fields'], string>;
  disabled?: boolean;
  /** Whether other values in the form make the field required, in addition to the declaration. */
  required?: boolean;
  /** Path of the value in the form, for one value of a record: `emails.0.email`. */
  name?: string;
}

/** The input of each kind. */
const inputs: Record<Kind, (props: InputProps) => ReactNode> = {
  text: (props) => <TextInput {...props} />,
  longtext: (props) => <LongTextInput {...props} />,
  email: (props) => <TextInput {...props} />,
  phone: (props) => <TextInput {...props} />,
  color: (props) => <ColorInput {...props} />,
  integer: (props) => (props.field.unit === 's' ? <DurationInput {...props} /> : <NumberInput {...props} />),
  number: (props) => <NumberInput {...props} />,
  money: (props) => <NumberInput {...props} />,
  boolean: (props) => <BooleanInput {...props} />,
  date: (props) => <DateInput {...props} />,
  instant: (props) => <InstantInput {...props} />,
  choice: (props) => <ChoiceInput {...props} />,
  tags: (props) => <TagsInput {...props} />,
  hours: (props) => <HoursInput {...props} />,
  json: (props) => <JsonInput {...props} />,
  image: (props) => <ImageInput {...props} />,
  password: (props) => <PasswordInput {...props} />,
  ref: (props) => <ReferenceInput {...props} />,
  refs: (props) => <ReferenceInput {...props} />,
  many: () => null,
  records: (props) => <RecordsInput {...props} />,
};

/** The element id of an input, for labels and links. */
export const inputId = (name: string): string => `field-${name.replaceAll('.', '-')}`;

/** Whether the form requires a value. Switches are never required, since they always have one. */
export const isRequiredInForm = (field: Field): boolean =>
  field.kind !== 'boolean' && (field.required === true || field.required === 'form');

const AnyFieldInput = ({
  entity,
  source,
  disabled = false,
  required = false,
  name = source,
}: FieldInputProps<Entity>) => {
  const translate = useTranslate();
  const override = useContext(InputOverrides)[name];
  const { control, getValues } = useFormContext();
  const { field: controllerField, fieldState } = useController({ name, control });
  const field = entity.fields[source];
  const { requiredWithout: otherName } = field ?? {};
  const otherValue: unknown = useWatch({ control, name: otherName ?? name, disabled: otherName === undefined });
  if (!field) return null;
  const isRequired = required || isRequiredInForm(field) || (otherName !== undefined && isEmpty(otherValue));
  const id = inputId(name);
  const hasAlternativeField = otherName !== undefined && otherName in getValues();
  const help =
    [
      hasAlternativeField && translate('form.either', { other: translate(labelKey(entity, otherName, otherName)) }),
      field.help && translate(`resources.${entity.name}.help.${source}`),
    ]
      .filter(Boolean)
      .join(' ') || undefined;
  const problem = messageOf(fieldState.error);
  const label = translate(labelKey(entity, source, name));
  const describedBy = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  const props: InputProps = {
    entity,
    source,
    field,
    value: controllerField.value,
    onChange: controllerField.onChange,
    onBlur: controllerField.onBlur,
    id,
    invalid: problem !== undefined,
    required: isRequired,
    describedBy,
    disabled,
    inputRef: controllerField.ref,
  };
  const star = isRequired && <span aria-hidden="true"> *</span>;
  return (
    <div className="sl-form-field" data-kind={field.kind} data-wrong={problem !== undefined}>
      {field.kind === 'records' || field.kind === 'hours' ? (
        <span className="sl-form-field-label" id={id} tabIndex={-1}>
          {label}
          {star}
        </span>
      ) : (
        <label className="sl-form-field-label" htmlFor={id}>
          {label}
          {star}
        </label>
      )}
      {(override ?? inputs[field.kind])(props)}
      {help && (
        <p className="sl-field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {problem && (
        <p className="sl-field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
};

/** The input of one field in a form: label above, help and validation message below. */
export const FieldInput = AnyFieldInput as <E extends Entity>(props: FieldInputProps<E>) => ReactNode;

/** Text key of a label. A value of a record has its label below the list: `resources.users.fields.emails.email`. */
function labelKey(entity: Entity, source: string, name: string): string {
  const [list, index] = name.split('.');
  return `resources.${entity.name}.fields.${index === undefined ? source : `${list}.${source}`}`;
}

function messageOf(error: { message?: string } | undefined): string | undefined {
  return typeof error?.message === 'string' && error.message !== '' ? error.message : undefined;
}

type ListItem = Record<string, unknown>;

/**
 * Input for a list of records, with an input per value by its kind. A value named `primary` is true in at most one
 * record.
 */
const RecordsInput = ({ entity, source, field, value, onChange, describedBy, disabled }: InputProps) => {
  const translate = useTranslate();
  const rows = (value as ListItem[] | null) ?? [];
  const itemFields = field.of ?? {};
  const itemEntity = { ...entity, fields: itemFields };
  const itemNames = Object.keys(itemFields).filter((itemName) => itemFields[itemName]?.write !== false);
  const emptyItem = (): ListItem =>
    Object.fromEntries(
      itemNames.map((itemName) => [
        itemName,
        itemName === 'primary' ? rows.length === 0 : (itemFields[itemName]?.default ?? null),
      ]),
    );
  const label = translate(`resources.${entity.name}.fields.${source}`);
  return (
    <fieldset className="sl-form-field-records" aria-describedby={describedBy}>
      <legend className="sl-hidden">{label}</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: records have no identity but their position
        <div key={index} className="sl-form-field-record">
          {itemNames.map((itemName) =>
            itemName === 'primary' ? (
              <label key={itemName} className="sl-radio">
                <input
                  type="radio"
                  name={`${source}-primary`}
                  disabled={disabled}
                  checked={row.primary === true}
                  onChange={() => onChange(rows.map((item, position) => ({ ...item, primary: position === index })))}
                />
                {translate(`resources.${entity.name}.fields.${source}.primary`)}
              </label>
            ) : (
              <FieldInput
                key={itemName}
                entity={itemEntity}
                source={itemName}
                name={`${source}.${index}.${itemName}`}
                disabled={disabled}
              />
            ),
          )}
          <IconButton
            icon="trash"
            label={translate('form.remove')}
            disabled={disabled}
            onClick={() => onChange(rows.filter((_, position) => position !== index))}
          />
        </div>
      ))}
      <button
        type="button"
        className="sl-button sl-button-small"
        disabled={disabled}
        onClick={() => onChange([...rows, emptyItem()])}
      >
        <Icon name="plus" size={16} />
        {translate('form.add_entry')}
      </button>
    </fieldset>
  );
};
