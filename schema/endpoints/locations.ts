/** Sites day by day, the calendar of due services, and trackers with what they send. */
import Type, { type Static } from 'typebox';
import { choice, date, ref, text } from '../dsl/field';
import { locations } from '../entities/locations';
import { siteDayStates } from '../features/calendar';
import {
  countSchema,
  dataOf,
  daySchema,
  defineEndpoints,
  idSchema,
  instantSchema,
  nullable,
  oneOf,
  pageOf,
  rowOf,
} from './endpoint';

/**
 * `planned_area_m2`: the area to clean on the last day: set by hand, or the working areas of the deployed machines
 * together; 0 if neither is known. `day`: a local day of the site.
 */
const SiteCalendarSchema = Type.Object({
  id: idSchema,
  name: Type.String(),
  city: Type.String(),
  planned_area_m2: Type.Number(),
  days: Type.Array(
    Type.Object({
      day: daySchema,
      state: nullable(oneOf(siteDayStates)),
      area_m2: Type.Number(),
      cleaning: Type.Number({ description: 'seconds' }),
    }),
  ),
});
export type SiteCalendar = Static<typeof SiteCalendarSchema>;
export type SiteDay = SiteCalendar['days'][number];

const measured = (description: string) => Type.Optional(Type.Number({ description }));
const ObservationSchema = Type.Object(
  {
    at: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description: 'ISO 8601 with an offset, or seconds or milliseconds since 1970; without it the time of receipt',
      }),
    ),
    latitude: measured('degrees'),
    longitude: measured('degrees'),
    speed: measured('m/s'),
    heading: measured('degrees clockwise from north'),
    accuracy: measured('metres'),
    altitude: measured('metres'),
    battery: measured('percent'),
    charging: Type.Optional(Type.Boolean()),
    is_moving: Type.Optional(Type.Boolean()),
    status: Type.Optional(oneOf(['charging', 'cleaning', 'parked', 'online'])),
    mode: Type.Optional(oneOf(['robotic', 'manual', 'teaching'])),
    odometer: measured('metres, a counter'),
    area: measured('square metres since the last message'),
    area_total: measured('square metres, a counter'),
    error: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
  },
  { additionalProperties: Type.Unknown() },
);

export const locationEndpoints = defineEndpoints({
  'GET /locations/calendar': {
    summary: 'Sites day by day: cleaned, partly, missed, planned',
    tag: 'locations',
    permission: ['locations.list', 'machines.list'],
    query: { from: date(), to: date(), state: choice(siteDayStates), day: date() },
    dialect: ['filter', 'page'],
    response: pageOf(SiteCalendarSchema),
    refuses: [400, 401, 403, 422],
  },
  'POST /locations/{id}/move': {
    summary: 'Move a location with its machines to another fleet',
    tag: 'locations',
    permission: 'locations.edit',
    row: 'locations',
    body: { fleet_id: locations.fields.fleet_id },
    labels: 'locations',
    response: dataOf(rowOf('locations')),
    refuses: [401, 403, 404, 422],
  },
  'GET /calendar': {
    summary: 'Whether the user has a calendar address',
    tag: 'calendar',
    response: dataOf(Type.Object({ created_at: nullable(instantSchema) })),
    refuses: [401],
  },
  'POST /calendar': {
    summary: 'Make a new secret calendar address, shown once; the one before is dead',
    tag: 'calendar',
    interactive: true,
    permission: 'machines.list',
    status: 201,
    response: dataOf(Type.Object({ url: Type.String() })),
    refuses: [401, 403],
  },
  'DELETE /calendar': {
    summary: 'Revoke the calendar address',
    tag: 'calendar',
    interactive: true,
    refuses: [401, 403],
  },
  'GET /calendar/{token}/services.ics': {
    summary: 'The due services within reach of the user whose address it is (RFC 5545)',
    tag: 'calendar',
    public: true,
    params: { token: text() },
    media: 'text/calendar',
    refuses: [404],
  },
  'POST /trackers/{id}/secret': {
    summary: 'Make a new device secret, shown once',
    tag: 'trackers',
    permission: 'trackers.edit',
    row: 'trackers',
    response: dataOf(Type.Object({ secret: Type.String() })),
    refuses: [401, 403, 404],
  },
  'POST /trackers/{id}/assign': {
    summary: 'Give a tracker to a machine, or to none',
    tag: 'trackers',
    permission: ['trackers.edit', 'machines.edit'],
    row: 'trackers',
    body: { machine_id: ref('machines') },
    labels: 'documents',
    response: dataOf(rowOf('trackers')),
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /ingest': {
    summary:
      'Observations of a device: an array, one alone, or one per line; with its secret as Bearer. All are taken ' +
      'or none; each counts once',
    tag: 'trackers',
    public: true,
    security: 'device',
    payload: Type.Union([Type.Array(ObservationSchema, { maxItems: 10_000 }), ObservationSchema]),
    response: dataOf(Type.Object({ received: countSchema, stored: countSchema })),
    refuses: [400, 401, 404, 409, 413, 422],
  },
});
