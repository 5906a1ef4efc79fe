/** Factsheet of a VDA 5050 vehicle, versions 2 and 3: what it is and how large. */
import { InvalidMessage } from '../timeline/observation';
import { isObject, type Json, ownProperty, parseJsonBody } from './json';
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
  const fields = parseJsonBody(body);
  if (!isObject(fields)) throw new InvalidMessage('Not an object.');
  const section = (name: string): Json => {
    const value = ownProperty(fields, name);
    return isObject(value) ? value : {};
  };
  const [type, size] = [section('typeSpecification'), section('physicalParameters')];
  const [series, kind] = [findText(type, ['seriesName']), findText(type, ['mobileRobotClass', 'agvClass'])];
  return {
    factsheet_version: findText(fields, ['version']),
    vehicle_type: series && kind ? `${series} (${kind})` : (series ?? kind),
    vehicle_length: findLength(size, ['length']),
    vehicle_width: findLength(size, ['width']),
    vehicle_height: findLength(size, ['maximumHeight', 'heightMax', 'heightMin', 'minimumHeight']),
  };
}

/** The first non-empty text among the values of these keys; `null` without one. */
function findText(from: Json, names: readonly string[]): string | null {
  const value = names
    .map((name) => ownProperty(from, name))
    .find((candidate) => typeof candidate === 'string' && candidate !== '');
  return typeof value === 'string' ? truncate(requireStorable(value), 100) : null;
}

function findLength(from: Json, names: readonly string[]): number | null {
  const value = names
    .map((name) => ownProperty(from, name))
    .find((candidate) => typeof candidate === 'number' && candidate > 0 && candidate < 1000);
  return typeof value === 'number' ? value : null;
}
