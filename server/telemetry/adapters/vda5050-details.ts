/** What a VDA 5050 message says beside state and mode: its errors, and everything plain in it. */
import type { DeviceError } from '../timeline/observation';
import { isObject, type Json, ownOf } from './json';
import { addAttribute } from './keep';
import type { Attributes } from './meaning';
import { shortened, storable } from './storable';

/** By how bad they are. `URGENT` and `CRITICAL` come with version 3. */
const levels = ['FATAL', 'CRITICAL', 'URGENT', 'WARNING'];
/** Errors of one message. */
const most = 50;

/** The errors that a vehicle has at the moment, each once, the worst first. */
export function troublesOf(errors: unknown): DeviceError[] {
  if (!Array.isArray(errors)) return [];
  const rank = (error: Json) =>
    (levels.indexOf(String(ownOf(error, 'errorLevel'))) + levels.length + 1) % (levels.length + 1);
  const troubles = new Map<string, DeviceError>();
  for (const error of errors
    .filter(isObject)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, most)) {
    const code = line(ownOf(error, 'errorType'), 120);
    const said = ownOf(error, 'errorDescription');
    if (code === '' || troubles.has(code)) continue;
    troubles.set(code, {
      code,
      message: typeof said === 'string' && said !== '' ? shortened(storable(said), 1000) : null,
      level: ownOf(error, 'errorLevel') === 'WARNING' ? 'warning' : 'error',
    });
  }
  return [...troubles.values()];
}

const line = (value: unknown, length: number) =>
  typeof value === 'string' ? shortened(storable(value).replace(/\s+/g, ' ').trim(), length) : '';

/** The header says nothing about the machine. */
const header = ['headerId', 'timestamp', 'version', 'manufacturer', 'serialNumber', 'referenceStateHeaderId'];

/** Plain values by their names, those one level down as `agvPosition.x`. */
export function attributesOf(given: Json): Attributes {
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(given)) {
    if (header.includes(name)) continue;
    if (isObject(value))
      for (const [inner, plain] of Object.entries(value)) addAttribute(attributes, `${name}.${inner}`, plain);
    else addAttribute(attributes, name, value);
  }
  return attributes;
}
