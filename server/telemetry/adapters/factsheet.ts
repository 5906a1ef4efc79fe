/** Factsheet of a VDA 5050 vehicle, versions 2 and 3: what it is and how large. */
import { InvalidMessage } from '../timeline/observation';
import { isObject, type Json, jsonOf, ownProperty } from './json';
import { requireStorable, truncate } from './requireStorable';

/** Named as the fields of trackers. Lengths in metres. */
export interface Factsheet {
  factsheet_version: string | null;
  vehicle_type: string | null;
  vehicle_length: number | null;
  vehicle_width: number | null;
  vehicle_height: number | null;
}

/**
 * Parses a factsheet; what it lacks is null. Pure.
 * @throws InvalidMessage
 */
export function readFactsheet(body: Uint8Array): Factsheet {
  const fields = jsonOf(body);
  if (!isObject(fields)) throw new InvalidMessage('Not an object.');
  const part = (name: string): Json => {
    const value = ownProperty(fields, name);
    return isObject(value) ? value : {};
  };
  const [type, size] = [part('typeSpecification'), part('physicalParameters')];
  const [series, kind] = [textIn(type, ['seriesName']), textIn(type, ['mobileRobotClass', 'agvClass'])];
  return {
    factsheet_version: textIn(fields, ['version']),
    vehicle_type: series && kind ? `${series} (${kind})` : (series ?? kind),
    vehicle_length: lengthIn(size, ['length']),
    vehicle_width: lengthIn(size, ['width']),
    vehicle_height: lengthIn(size, ['maximumHeight', 'heightMax', 'heightMin', 'minimumHeight']),
  };
}

/** First of several keys that holds text. */
function textIn(from: Json, names: readonly string[]): string | null {
  const value = names
    .map((name) => ownProperty(from, name))
    .find((candidate) => typeof candidate === 'string' && candidate !== '');
  return typeof value === 'string' ? truncate(requireStorable(value), 100) : null;
}

function lengthIn(from: Json, names: readonly string[]): number | null {
  const value = names
    .map((name) => ownProperty(from, name))
    .find((candidate) => typeof candidate === 'number' && candidate > 0 && candidate < 1000);
  return typeof value === 'number' ? value : null;
}
