/** JSON Schemas of the declared entities (OpenAPI 3.1 uses JSON Schema 2020-12). */

import { limits } from '../../schema/dsl/checks';
import type { Field, Kind } from '../../schema/dsl/field';
import { hoursLimits, weekdayCodes } from '../../schema/dsl/hours';
import { shapes } from '../../schema/dsl/shapes';
import type { ModelEntity } from '../context/services';
import { labelOf } from '../i18n/messages';

export type Schema = Record<string, unknown>;

const text = ({ max = limits.text, min }: Field): Schema => ({
  type: 'string',
  maxLength: max,
  ...(min !== undefined && { minLength: min }),
});
const numeric = (type: string, { min, max }: Field): Schema => ({
  type,
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
});
const id: Schema = { type: 'integer', minimum: 1 };

const wallTime = '([01]\\d|2[0-3]):[0-5]\\d';
const spansSchema: Schema = {
  type: 'array',
  maxItems: hoursLimits.spans,
  items: {
    type: 'object',
    description: 'Local time. `to` before `from` is a time of the next day',
    required: ['from', 'to'],
    properties: {
      from: { type: 'string', pattern: `^${wallTime}$` },
      to: { type: 'string', pattern: `^(${wallTime}|24:00)$` },
    },
  },
};
const hoursSchema: Schema = {
  type: 'object',
  description: 'Sent as this object, or as a text such as `Mo-Fr 06:00-22:00; Sa 08:00-14:00; 2026-12-24 off`',
  properties: {
    text: { type: 'string', description: 'The same in the syntax of OpenStreetMap; ignored on write' },
    week: {
      type: ['object', 'null'],
      description: 'Spans per weekday; null if unknown',
      properties: Object.fromEntries(weekdayCodes.map((day) => [day, spansSchema])),
      additionalProperties: false,
    },
    holidays: {
      ...spansSchema,
      type: ['array', 'null'],
      description: 'Spans on public holidays of the country; null: as on the weekday',
    },
    exceptions: {
      type: 'array',
      maxItems: hoursLimits.exceptions,
      description: 'Periods with other spans, or closed without any; if several include a day, the last one applies',
      items: {
        type: 'object',
        required: ['from', 'to'],
        properties: {
          from: { type: 'string', format: 'date' },
          to: { type: 'string', format: 'date' },
          spans: spansSchema,
        },
      },
    },
    note: {
      type: ['string', 'null'],
      maxLength: hoursLimits.note,
      description: 'Anything else that people should know, such as a text that could not be parsed',
    },
  },
  additionalProperties: false,
};

const byKind: Record<Kind, (field: Field) => Schema> = {
  text,
  longtext: (field) => text({ ...field, max: field.max ?? limits.longtext }),
  email: () => ({ type: 'string', format: 'email', maxLength: 254 }),
  phone: () => ({ type: 'string', maxLength: 32 }),
  color: () => ({ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }),
  integer: (field) => numeric('integer', field),
  number: (field) => numeric('number', field),
  money: () => ({ type: 'string', pattern: '^-?\\d{1,10}(\\.\\d{1,2})?$', description: 'EUR, a decimal string' }),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  instant: () => ({ type: 'string', format: 'date-time' }),
  choice: ({ choices = [] }) => ({ type: 'string', enum: [...choices] }),
  tags: ({ write }) =>
    write === false
      ? { type: 'array', items: { type: 'string' } }
      : { type: 'array', items: { type: 'string', maxLength: 60 }, maxItems: limits.tags },
  hours: () => hoursSchema,
  json: ({ shape = 'any' }) => shapes[shape].schema,
  image: () => ({ type: 'string', description: 'Name of a picture under /storage/images, or the URL of one' }),
  password: () => ({ type: 'string', minLength: 8, maxLength: 128 }),
  ref: () => id,
  refs: () => ({ type: 'array', items: id }),
  many: () => ({ type: 'array', items: { type: 'object' } }),
  records: ({ of = {} }) => ({
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(of).map(([name, field]) => [name, fieldSchema(field)])),
    },
  }),
};

/** Schema of a field's JSON value; allows null unless the field is required. */
export function fieldSchema(field: Field): Schema {
  if (field.json) return {};
  const schema = byKind[field.kind](field);
  const optional =
    field.required !== true && field.default === undefined && !['refs', 'tags', 'records'].includes(field.kind);
  if (!optional) return schema;
  return schema.enum
    ? { ...schema, type: ['string', 'null'], enum: [...(schema.enum as unknown[]), null] }
    : { ...schema, type: [schema.type, 'null'] };
}

/** Schema of the values that a client may send: hours and JSON also as text, some choices as free text. */
function writtenSchema(field: Field): Schema {
  const schema = fieldSchema(field);
  if (field.normalize) {
    const choices = field.choices?.join(', ');
    const { raw } = field.normalize;
    const description = `One of ${choices}; any other word is mapped to one of them and stored in ${raw}`;
    return { type: schema.type, description };
  }
  return field.kind === 'hours' || field.kind === 'json'
    ? { ...schema, type: ['string', ...[schema.type].flat()] }
    : schema;
}

/** Schema of a row in responses, without the included relations, which are added to the fields. */
export function rowSchema(entity: ModelEntity): Schema {
  const visibleFields = Object.entries(entity.fields).filter(
    ([, field]) => field.kind !== 'many' && field.kind !== 'password',
  );
  return {
    type: 'object',
    title: entity.name,
    properties: Object.fromEntries(
      visibleFields.map(([name, field]) => [
        name,
        describeField(entity, name, { ...fieldSchema(field), ...(field.write === false && { readOnly: true }) }),
      ]),
    ),
  };
}

/** Body of a creation (with its `required` fields) or an edit; rejects unknown fields. */
export function writeSchema(entity: ModelEntity, action: 'create' | 'edit'): Schema {
  const writable = Object.entries(entity.fields).filter(([, field]) => field.write !== false && field.kind !== 'many');
  const requiredNames = writable
    .filter(([, field]) => field.required === true && field.default === undefined)
    .map(([name]) => name);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      writable.map(([name, field]) => [
        name,
        describeField(entity, name, {
          ...writtenSchema(field),
          ...(field.default !== undefined && { default: field.default }),
        }),
      ]),
    ),
    ...(action === 'create' && requiredNames.length > 0 && { required: requiredNames }),
  };
}

function describeField(entity: ModelEntity, name: string, schema: Schema): Schema {
  const { unit, read } = entity.fields[name] as Field;
  const notes = [
    labelOf('en', entity, name),
    ...(unit ? [`in ${unit}`] : []),
    ...(read ? [`needs the permission ${read}`] : []),
  ];
  return {
    ...schema,
    description: schema.description ? `${notes.join(', ')}. ${schema.description}` : notes.join(', '),
  };
}
