/**
 * OwnTracks over HTTP: `{"_type": "location", "lat": …, "lon": …, "tst": …}`. Source: owntracks.org, "JSON" and "HTTP".
 * Other types (waypoints, transitions, cards) are not observations.
 */
import { InvalidMessage, type Message } from '../timeline/observation';
import { addAttribute } from './addAttribute';
import { parseOptionalDeviceTime } from './clock';
import { type Attributes, interpretAttributes } from './interpretAttributes';
import { isObject, ownProperty, parseJsonBody } from './json';
import { parseMeasure } from './measures';

/** Keys with a meaning of their own, or that name the sender. */
const knownKeys = ['_type', '_id', 'tst', 'lat', 'lon', 'alt', 'acc', 'vel', 'cog', 'batt', 'bs', 'topic'];
/** Battery status "charging"; 1 is unplugged, 3 full, 0 unknown. */
const charging = 2;

/**
 * Parses a message; `undefined` for one that is not a location. Pure.
 * @throws InvalidMessage
 */
export function readOwnTracks(body: Uint8Array): Message | undefined {
  if (body.length === 0) return undefined;
  const fields = parseJsonBody(body);
  if (!isObject(fields)) throw new InvalidMessage('Not an object.');
  if (ownProperty(fields, '_type') !== 'location') return undefined;
  const [latitude, longitude] = [
    parseMeasure('latitude', ownProperty(fields, 'lat')),
    parseMeasure('longitude', ownProperty(fields, 'lon')),
  ];
  if (latitude === null || longitude === null) throw new InvalidMessage('No position.');
  const kilometresPerHour = ownProperty(fields, 'vel');
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(fields))
    if (!knownKeys.includes(name)) addAttribute(attributes, name, value);
  return interpretAttributes({
    at: parseOptionalDeviceTime(ownProperty(fields, 'tst')),
    position: { latitude, longitude },
    speed: typeof kilometresPerHour === 'number' ? parseMeasure('speed', kilometresPerHour / 3.6) : null,
    heading: parseMeasure('heading', ownProperty(fields, 'cog')),
    accuracy: parseMeasure('accuracy', ownProperty(fields, 'acc')),
    altitude: parseMeasure('altitude', ownProperty(fields, 'alt')),
    battery: parseMeasure('battery', ownProperty(fields, 'batt')),
    charging: Object.hasOwn(fields, 'bs') ? fields.bs === charging : undefined,
    attributes,
  });
}
