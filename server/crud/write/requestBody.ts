/** Reads what a client sends for a row: JSON values as they are, form texts converted by field kind. */
import type { FastifyRequest } from 'fastify';
import type { Field, Kind } from '../../../schema/dsl/field';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { saveImage } from '../../files/images';
import { readFormParts } from '../../http/readFormParts';
import { requireReferences } from '../../http/requireReferences';

export interface RequestBody {
  values: Record<string, unknown>;
  /** Images of a multipart form, by field. */
  images: Map<string, Buffer>;
  /** Method override in the form field `_method`: browsers can only POST files. */
  method?: string;
}

/**
 * Reads the body of a create or update. Replaces `request.body` by the values, which the security log reads after the
 * response: the names in a form have brackets, and a multipart form is a stream.
 * @throws 422 for a file in a field that takes none
 */
export async function readBody(request: FastifyRequest, entity: ModelEntity): Promise<RequestBody> {
  const body = request.isMultipart() ? await readMultipart(request, entity) : readFields(request, entity);
  request.body = { ...body.values, _method: body.method };
  return body;
}

function readFields(request: FastifyRequest, entity: ModelEntity): RequestBody {
  const body = request.body;
  if (body === undefined || body === null) return { values: {}, images: new Map() };
  if (typeof body !== 'object' || Array.isArray(body)) throw ApiError.malformed();
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
  const { _method: method, ...fields } = body as Record<string, unknown>;
  const values = isForm ? valuesFromForm(entity, Object.entries(fields)) : valuesFromJson(entity, fields);
  requireReferences(entity.fields, values);
  return { values, images: new Map(), ...(typeof method === 'string' && { method: method.toUpperCase() }) };
}

async function readMultipart(request: FastifyRequest, entity: ModelEntity): Promise<RequestBody> {
  const entries: [string, string][] = [];
  const images = new Map<string, Buffer>();
  for await (const part of readFormParts(request, entity.name)) {
    if ('text' in part) entries.push([part.name, part.text]);
    else if (entity.fields[part.name]?.kind === 'image') images.set(part.name, part.bytes);
    else throw ApiError.invalidAt(part.name, { key: 'unknown' }, entity.name);
  }
  const method = entries.find(([name]) => name === '_method')?.[1];
  return {
    values: valuesFromForm(entity, entries),
    images,
    ...(typeof method === 'string' && { method: method.toUpperCase() }),
  };
}

/** Stores the images and sets their names as values; reports invalid ones with `fail`. */
export async function storeImages(
  tx: Queries,
  { values, images }: RequestBody,
  fail: (field: string, problem: { key: 'image_type' | 'image_size' }) => void,
): Promise<void> {
  for (const [field, bytes] of images) {
    const saveResult = await saveImage(tx, bytes);
    if ('name' in saveResult) values[field] = saveResult.name;
    else fail(field, { key: saveResult.problem === 'image_size' ? 'image_size' : 'image_type' });
  }
}

/**
 * Drops read-only fields and included relations, because clients that save a whole model send them back. Undeclared
 * names remain, to be rejected by name.
 */
export function withoutReadOnly(entity: ModelEntity, values: Record<string, unknown>): Record<string, unknown> {
  const relations = entity.relations;
  const isReadOnly = (name: string) =>
    Object.hasOwn(entity.fields, name)
      ? entity.fields[name]?.write === false
      : relations.has(name) || relations.has(name.replace(/_count$/, ''));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isReadOnly(name)));
}

function valuesFromJson(entity: ModelEntity, body: Record<string, unknown>): Record<string, unknown> {
  const textKinds: Kind[] = ['text', 'longtext', 'password'];
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const kind = Object.hasOwn(entity.fields, name) ? entity.fields[name]?.kind : undefined;
      return [name, value === '' && kind && !textKinds.includes(kind) ? null : value];
    }),
  );
}

const parseNumber = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
const parseBoolean = (text: string) =>
  ({ true: true, 1: true, on: true, false: false, 0: false, off: false })[text] ?? text;
const asText = (text: string) => text;
const parsers: Record<Kind, (text: string) => unknown> = {
  text: asText,
  longtext: asText,
  email: asText,
  phone: asText,
  color: asText,
  integer: parseNumber,
  number: parseNumber,
  money: asText,
  boolean: parseBoolean,
  date: asText,
  instant: asText,
  choice: asText,
  tags: asText,
  hours: asText,
  json: asText,
  image: asText,
  password: asText,
  ref: parseNumber,
  refs: parseNumber,
  many: asText,
  records: asText,
};

/** Forms carry text only: an empty text is null, `a[]` or repeated names are lists, `a[0][b]` a list of records. */
function valuesFromForm(entity: ModelEntity, entries: [string, unknown][]): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [rawName, rawValue] of entries.flatMap(([name, value]): [string, unknown][] =>
    Array.isArray(value) ? value.map((item) => [name, item]) : [[name, value]],
  )) {
    const [name = '', ...path] = rawName.replaceAll(']', '').split('[');
    if (name === '_method') continue;
    const field: Field | undefined = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
    const text = String(rawValue);
    if (field?.kind === 'records' && path.length === 2)
      setRecord(values, {
        name,
        index: Number(path[0]),
        key: path[1] as string,
        value: parseRecordValue(field, path[1] as string, text),
      });
    else if (field && (field.kind === 'tags' || field.kind === 'refs')) {
      const list = (values.get(name) as unknown[] | undefined) ?? [];
      if (text !== '') list.push(parsers[field.kind](text));
      values.set(name, list);
    } else values.set(name, text === '' ? null : field ? parsers[field.kind](text) : text);
  }
  return Object.fromEntries(values);
}

const parseRecordValue = ({ of = {} }: Field, key: string, text: string) =>
  Object.hasOwn(of, key) && of[key] ? parsers[of[key].kind](text) : text;

/** Larger indexes are ignored; otherwise a client could make the list as long as it likes. */
const maxRecordIndex = 50;

function setRecord(
  values: Map<string, unknown>,
  { name, index, key, value }: { name: string; index: number; key: string; value: unknown },
): void {
  const list = (values.get(name) as Record<string, unknown>[] | undefined) ?? [];
  if (!Number.isInteger(index) || index < 0 || index > maxRecordIndex) return;
  const record = (list[index] as unknown as Record<string, unknown>) ?? {};
  list[index] = Object.assign(record, { [key]: value }) as never;
  values.set(
    name,
    Array.from(list, (item) => item ?? {}),
  );
}
