/** OsmAnd as query or form: `id=1&lat=52.5&lon=13.4&speed=2&batt=80`. Speed in knots. */
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { InvalidMessage } from '../timeline/observation';
import { keepKeys, type MapKeys } from './buildKeyMap';
import { type Attributes, type AttributesInput, interpretAttributes } from './interpretAttributes';
import { findJavaDouble, parseJavaDouble, parseJavaInt, parseTimestamp } from './javaDouble';
import { decodeUtf8WithMark } from './json';
import type { OsmAndReport } from './osmAndReport';
import { requireStorable } from './requireStorable';

const metresPerSecond = 1852 / 3600;
/** Further parameters are ignored, as by Traccar. */
const maxParameters = 1024;

interface OsmandPoint {
  devices: string[];
  input: AttributesInput;
  latitude: number | undefined;
  longitude: number | undefined;
  isValid: boolean;
  attributes: Attributes;
}

/**
 * Returns the report; `devices` may be empty.
 * @throws InvalidMessage
 */
export function readOsmAndQuery(search: string, mapKeys: MapKeys): OsmAndReport {
  const attributes: Attributes = new Map();
  const point: OsmandPoint = {
    devices: [],
    input: { at: undefined, attributes },
    latitude: undefined,
    longitude: undefined,
    isValid: true,
    attributes,
  };
  for (const [key, value] of parseParameters(search).flatMap((parameter) => mapParameter(parameter, mapKeys))) {
    const handle = Object.hasOwn(handlers, key) ? handlers[key] : undefined;
    if (handle) handle(point, value);
    else attributes.set(key, parseValue(value));
  }
  const { latitude, longitude, input, isValid } = point;
  if (latitude !== undefined && longitude !== undefined) {
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw new InvalidMessage('Coordinates out of range.');
    if (isValid) input.position = { latitude, longitude };
  }
  return { devices: point.devices, message: interpretAttributes(input) };
}

const deviceKeys = ['id', 'deviceid'];

/** Maps the key of a parameter, unless it names the device. */
const mapParameter = ([key, value]: [string, string], mapKeys: MapKeys): [string, string][] =>
  mapKeys === keepKeys || deviceKeys.includes(key)
    ? [[key, value]]
    : Object.entries(mapKeys({ [key]: value })).map(([name, mappedValue]) => [name, String(mappedValue)]);

type ParameterHandler = (point: OsmandPoint, value: string) => void;

const addDevice: ParameterHandler = ({ devices }, value) => {
  devices.push(value);
};
const setHeading: ParameterHandler = ({ input }, value) => {
  input.heading = nonNegative(parseJavaDouble(value));
};
/** Null for a negative value, which devices send for an unknown one. */
const nonNegative = (value: number): number | null => (value < 0 ? null : value);

const handlers: Readonly<Record<string, ParameterHandler>> = {
  id: addDevice,
  deviceid: addDevice,
  bearing: setHeading,
  heading: setHeading,
  // Push token of the phone: useless here and private.
  notificationToken: () => undefined,
  valid: (point, value) => {
    point.isValid = value.toLowerCase() === 'true' || value === '1';
  },
  timestamp: ({ input }, value) => {
    input.at = parseTimestamp(value);
  },
  lat: (point, value) => {
    point.latitude = parseJavaDouble(value);
  },
  lon: (point, value) => {
    point.longitude = parseJavaDouble(value);
  },
  location: (point, value) => {
    const [latitude = '', longitude = ''] = value.split(',');
    point.latitude = parseJavaDouble(latitude);
    point.longitude = parseJavaDouble(longitude);
  },
  // Cell and Wi-Fi only have to be readable for Traccar; they are stored as sent.
  cell: ({ attributes }, value) => {
    const cellFields = value.split(',');
    for (const index of cellFields.length > 4 ? [0, 1, 2, 3, 4] : [0, 1, 2, 3]) parseJavaInt(cellFields[index]);
    attributes.set('cell', joinValues(attributes.get('cell'), value));
  },
  wifi: ({ attributes }, value) => {
    parseJavaInt(value.split(',')[1]);
    attributes.set('wifi', joinValues(attributes.get('wifi'), value));
  },
  speed: ({ input }, value) => {
    input.speed = nonNegative(parseJavaDouble(value) * metresPerSecond);
  },
  altitude: ({ input }, value) => {
    input.altitude = parseJavaDouble(value);
  },
  accuracy: ({ input }, value) => {
    input.accuracy = nonNegative(parseJavaDouble(value));
  },
  hdop: ({ attributes }, value) => {
    attributes.set('hdop', parseJavaDouble(value));
  },
  batt: ({ input }, value) => {
    input.battery = parseJavaDouble(value);
  },
  driverUniqueId: ({ attributes }, value) => {
    attributes.set('driverUniqueId', value);
  },
  charge: ({ input }, value) => {
    input.charging = value.toLowerCase() === 'true';
  },
};

const joinValues = (earlier: unknown, value: string) => (earlier === undefined ? value : `${earlier};${value}`);

/** A number if it parses as one, then true or false, else the text. */
function parseValue(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  return findJavaDouble(value) ?? value;
}

/** Parameters grouped by name in order of first appearance, like Traccar iterates over them. */
function parseParameters(search: string): [string, string][] {
  const valuesByName = new Map<string, string[]>();
  for (const pair of search
    .split(/[&;]/)
    .filter((pair) => pair !== '')
    .slice(0, maxParameters)) {
    const equals = pair.indexOf('=');
    const name = decodeComponent(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeComponent(pair.slice(equals + 1));
    addToGroup(valuesByName, name, value);
  }
  return [...valuesByName].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
}

/** Printable ASCII but `%` and `+`: decodes to itself. Nearly every part of a message is. */
const unescapedPattern = /^[!-$&-*,-~]*$/;

function decodeComponent(text: string): string {
  if (unescapedPattern.test(text)) return text;
  if (text.includes('\0') || /%(?![0-9a-fA-F]{2})/.test(text)) throw new InvalidMessage('A broken escape.');
  const bytes = Buffer.from(
    text.replaceAll('+', ' ').replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => `\u0000${hex}`),
    'utf8',
  );
  return requireStorable(unescapeBytes(bytes));
}

/** Replaces the escaped bytes, marked by NUL. */
function unescapeBytes(bytes: Buffer): string {
  const result: number[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== 0) result.push(bytes[index] as number);
    else {
      result.push(Number.parseInt(bytes.toString('latin1', index + 1, index + 3), 16));
      index += 2;
    }
  }
  return decodeUtf8WithMark(Uint8Array.from(result));
}
