/** Settings of an upload: parsed from form fields or JSON, with problems by field. */

import type { FastifyRequest } from 'fastify';
import { isObject } from '../../../schema/dsl/isObject';
import { isStorableJson } from '../../../schema/dsl/isStorable';
import {
  dateOrders,
  defaultSettings,
  delimiters,
  encodings,
  type ImportSettings,
  importLimits,
  importModes,
} from '../../../schema/shared/imports';
import type { Caller } from '../../context/caller';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { requireJsonShape } from '../../http/jsonShape';
import { readFormParts } from '../../http/readFormParts';
import { unmappableTargets } from './target';

export interface UploadedFile {
  filename: string;
  bytes: Buffer;
}

/** Reads the file of field `file`, and the other fields as text. */
export async function readUploadForm(
  request: FastifyRequest,
): Promise<{ file: UploadedFile; texts: Record<string, unknown> }> {
  if (!request.isMultipart()) throw ApiError.wrongType();
  let file: UploadedFile | undefined;
  const texts: Record<string, unknown> = {};
  for await (const part of readFormParts(request, 'imports', importLimits.bytes)) {
    if ('text' in part) texts[part.name] = part.text;
    else if (part.name === 'file') file = part;
    else throw ApiError.invalidAt(part.name, { key: 'unknown' }, 'imports');
  }
  if (!file) throw ApiError.invalidAt('file', { key: 'file_required' }, 'imports');
  return { file, texts };
}

type Fail = (problem: FieldProblem) => undefined;
type SettingReader = (value: unknown, fail: Fail) => unknown;

const readOneOf =
  (values: readonly string[]): SettingReader =>
  (value, fail) =>
    values.includes(value as string)
      ? value
      : fail({ key: 'one_of', values: { values: values.map((value) => (value === '\t' ? 'tab' : value)).join(' ') } });

const isMapping = (value: unknown): value is Record<string, string | null> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((target) => target === null || typeof target === 'string');

const isTextRecord = (value: unknown): value is Record<string, string> =>
  isMapping(value) && Object.values(value).every((text) => text !== null && text.length <= importLimits.cell);
const isWordMap = (value: unknown) => isObject(value) && Object.values(value).every(isTextRecord);

const readers: Record<keyof ImportSettings, SettingReader> = {
  mode: readOneOf(importModes),
  rows: readOneOf(['all', 'good']),
  empty: readOneOf(['keep', 'clear']),
  encoding: readOneOf(encodings),
  delimiter: (value, fail) => readOneOf(delimiters)(value === 'tab' ? '\t' : value, fail),
  date_order: readOneOf(dateOrders),
  decimal: readOneOf([',', '.']),
  sheet: (value, fail) => (typeof value === 'string' && value.length <= 255 ? value : fail({ key: 'text' })),
  header_row: (value, fail) => {
    const row = Number(value);
    return Number.isInteger(row) && row >= 1 && row <= importLimits.rows ? row : fail({ key: 'integer' });
  },
  mapping: (value, fail) =>
    isMapping(value)
      ? Object.fromEntries(Object.entries(value).map(([head, target]) => [head, target === '' ? null : target]))
      : fail({ key: 'object' }),
  fixed: (value, fail) => (isTextRecord(value) ? value : fail({ key: 'object' })),
  words: (value, fail) => (isWordMap(value) ? value : fail({ key: 'object' })),
  create_missing: (value, fail) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : fail({ key: 'list' }),
};

/**
 * Parses settings. Settings that were not sent keep their value in `previous`.
 * @throws 422 for invalid or unknown settings, and for fields that the importer may not fill
 */
export function parseSettings(
  values: Record<string, unknown>,
  { entity, caller, previous = defaultSettings }: { entity: ModelEntity; caller: Caller; previous?: ImportSettings },
): ImportSettings {
  const errors = new Map<string, FieldProblem[]>();
  const settings: Record<string, unknown> = { ...previous };
  for (const [name, value] of Object.entries(values)) {
    const fail = (problem: FieldProblem) => void errors.set(name, [problem]);
    if (!Object.hasOwn(readers, name)) fail({ key: 'unknown' });
    else if (value === '' || value === null) delete settings[name];
    else {
      const parsedValue = parseFormValue(name, value);
      if (isStorableJson(parsedValue))
        settings[name] = readers[name as keyof ImportSettings](parsedValue, fail as Fail);
      else fail({ key: 'control_characters' });
    }
  }
  const { mapping = {}, fixed = {}, words = {} } = settings as unknown as ImportSettings;
  const fieldsBySetting = { mapping: Object.values(mapping), fixed: Object.keys(fixed), words: Object.keys(words) };
  for (const [name, targets] of Object.entries(fieldsBySetting))
    for (const target of unmappableTargets(entity, caller, targets))
      errors.set(`${name}.${target}`, [{ key: 'unknown' }]);
  if (errors.size > 0) throw ApiError.invalid(errors, 'imports');
  return { ...defaultSettings, ...settings };
}

/** Form fields are text, so settings other than plain words arrive as JSON. */
function parseFormValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !['mapping', 'fixed', 'words', 'create_missing'].includes(name)) return value;
  requireJsonShape(Buffer.from(value));
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
