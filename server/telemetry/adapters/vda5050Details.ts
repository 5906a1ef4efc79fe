/** Device errors and attributes of VDA 5050 messages. */
import type { DeviceError } from '../timeline/observation';
import { addAttribute } from './addAttribute';
import type { Attributes } from './interpretAttributes';
import { isObject, type Json, ownProperty, textOrEmpty } from './json';
import { requireStorable, truncate } from './requireStorable';
import { orderAttributes } from './vda5050Order';

/** By severity. `URGENT` and `CRITICAL` exist since version 3. */
const levels = ['FATAL', 'CRITICAL', 'URGENT', 'WARNING'];
/** Attribute with the level of the worst error: `WARNING` if the vehicle continues, else `ERROR`. */
export const errorLevel = 'errorLevel';
/** Maximum errors per message. */
const maxErrors = 50;

/** Current errors of a vehicle, distinct, most severe first. */
export function deviceErrorsOf(errors: unknown): DeviceError[] {
  if (!Array.isArray(errors)) return [];
  /** Position in `levels`; unknown levels come last. */
  const rank = (error: Json) =>
    (levels.indexOf(textOrEmpty(ownProperty(error, 'errorLevel'))) + levels.length + 1) % (levels.length + 1);
  const byCode = new Map<string, DeviceError>();
  for (const error of errors
    .filter(isObject)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxErrors)) {
    const code = oneLine(ownProperty(error, 'errorType'), 120);
    const description = ownProperty(error, 'errorDescription');
    if (code === '' || byCode.has(code)) continue;
    byCode.set(code, {
      code,
      message:
        typeof description === 'string' && description !== '' ? truncate(requireStorable(description), 1000) : null,
      level: ownProperty(error, 'errorLevel') === 'WARNING' ? 'warning' : 'error',
    });
  }
  return [...byCode.values()];
}

const oneLine = (value: unknown, length: number) =>
  typeof value === 'string' ? truncate(requireStorable(value).replace(/\s+/g, ' ').trim(), length) : '';

/** Fields that say nothing about the machine. */
const headerFields = ['headerId', 'timestamp', 'version', 'manufacturer', 'serialNumber', 'referenceStateHeaderId'];

/** Attributes that we compute ourselves, in types that SQL relies on. */
const computedNames: readonly string[] = Object.values(orderAttributes);

/** Plain values by name; nested ones, one level down, as `agvPosition.x`. Omits names of attributes that we compute. */
export function attributesOf(message: Json): Attributes {
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(message)) {
    if (headerFields.includes(name)) continue;
    if (isObject(value))
      for (const [innerName, innerValue] of Object.entries(value))
        addAttribute(attributes, `${name}.${innerName}`, innerValue);
    else addAttribute(attributes, name, value);
  }
  for (const name of computedNames) attributes.delete(name);
  return attributes;
}
