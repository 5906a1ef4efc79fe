/** Converts form values to request bodies. */
import type { Entity } from '../../schema/dsl/entity';
import type { Field } from '../../schema/dsl/field';

type Values = Record<string, unknown>;

/** Values that differ from the loaded row; all values of a new row. */
export function changesOf(values: Values, before: Values | undefined): Values {
  if (!before) return values;
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSameValue(emptyToNull(value), emptyToNull(before[name]))),
  );
}

/**
 * Converts writable values to a request body, with empty text as null: a multipart form in the contract's dialect if
 * the values contain a file, else JSON.
 */
export function bodyOf(entity: Entity | undefined, values: Values): FormData | Values {
  const writable = Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== undefined && (!entity || isWritten(entity.fields[name])))
      .map(([name, value]) => [name, withoutReadOnly(entity?.fields[name], value)]),
  );
  return Object.values(writable).some((value) => value instanceof Blob) ? formOf(writable) : writable;
}

const isWritten = (field: Field | undefined) => field !== undefined && field.write !== false && field.kind !== 'many';
const emptyToNull = (value: unknown) => (value === '' || value === undefined ? null : value);

/** Removes the server-written properties of records. */
function withoutReadOnly(field: Field | undefined, value: unknown): unknown {
  if (!field?.of || !Array.isArray(value)) return emptyToNull(value);
  const names = Object.entries(field.of).filter(([, recordField]) => isWritten(recordField));
  return value.map((record: Values) => Object.fromEntries(names.map(([name]) => [name, emptyToNull(record[name])])));
}

function formOf(values: Values): FormData {
  const form = new FormData();
  const add = (name: string, value: unknown) => {
    if (value instanceof Blob) form.append(name, value);
    else if (Array.isArray(value) && value.length === 0) form.append(`${name}[]`, '');
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) add(`${name}[${index}]`, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item);
    else form.append(name, value === null ? '' : String(value));
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  return form;
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    a instanceof Blob ||
    b instanceof Blob
  )
    return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
