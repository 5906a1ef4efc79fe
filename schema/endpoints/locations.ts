/** Calls about sites by day, opening hours, and moves between fleets. */
import Type, { type Static } from 'typebox';
import { choice, date, ref } from '../dsl/field';
import { locations } from '../entities/locations';
import { siteDayStates } from '../features/calendar';
import {
  dataOf,
  daySchema,
  defineEndpoints,
  idSchema,
  instantSchema,
  nullable,
  oneOf,
  pageOf,
  reported_area_m2,
  rowOf,
} from './endpoint';

/**
 * `planned_area_m2`: area to clean on the last day, as entered by hand or as the sum of the working areas of deployed
 * machines; 0 if neither is known. `day`: local day of the site. `open`: opening hours of that day in clock times of
 * `time_zone`, merged; empty if closed, null if unknown. `holiday`: name of the public holiday.
 */
const SiteCalendarSchema = Type.Object({
  id: idSchema,
  name: Type.String(),
  city: Type.String(),
  time_zone: Type.String(),
  planned_area_m2: Type.Number(),
  days: Type.Array(
    Type.Object({
      day: daySchema,
      state: nullable(oneOf(siteDayStates)),
      area_m2: Type.Number(),
      reported_area_m2,
      cleaning: Type.Number({ description: 'seconds' }),
      open: nullable(Type.Array(Type.Object({ from: Type.String(), to: Type.String() }, { description: 'HH:MM' }))),
      holiday: nullable(Type.String()),
    }),
  ),
});
export type SiteCalendar = Static<typeof SiteCalendarSchema>;
export type SiteDay = SiteCalendar['days'][number];

/**
 * `open` is null if today's hours are unknown. `spans`: open time within the local day, merged; null if unknown.
 * `holiday`: name of the public holiday. `country`: country whose public holidays apply, null if unknown. `region`:
 * region whose additional holidays apply, such as DE-BY.
 */
const OpeningSchema = Type.Object({
  time_zone: Type.String(),
  country: nullable(Type.String({ description: 'ISO 3166-1' })),
  region: nullable(Type.String()),
  open: nullable(Type.Boolean()),
  changes_at: nullable(instantSchema),
  days: Type.Array(
    Type.Object({
      day: daySchema,
      holiday: nullable(Type.String()),
      spans: nullable(Type.Array(Type.Object({ from: instantSchema, to: instantSchema }))),
    }),
  ),
});

export const locationEndpoints = defineEndpoints({
  'GET /locations/{id}/opening': {
    summary: 'Whether a location is open, and when on the coming days; by default seven from today',
    tag: 'locations',
    permission: 'locations.show',
    row: 'locations',
    query: { from: date(), to: date() },
    response: dataOf(OpeningSchema),
    refuses: [401, 403, 404, 422],
  },
  'GET /locations/holiday_regions': {
    summary: 'Values of holiday_region in a country, or in that of the client of a fleet',
    tag: 'locations',
    permission: 'locations.list',
    query: { holiday_country_id: locations.fields.holiday_country_id, fleet_id: ref('fleets') },
    labels: 'locations',
    response: dataOf(Type.Array(Type.Object({ code: Type.String(), name: Type.String() }))),
    refuses: [400, 401, 403, 422],
  },
  'GET /locations/calendar': {
    summary: 'Sites by day: cleaned, partly, missed, planned',
    tag: 'locations',
    permission: ['locations.list', 'machines.list'],
    query: { from: date(), to: date(), state: choice(siteDayStates), day: date() },
    dialect: ['filter', 'page'],
    replica: true,
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
});
