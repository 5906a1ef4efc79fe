/** Sites day by day, and moves between fleets. */
import Type, { type Static } from 'typebox';
import { choice, date } from '../dsl/field';
import { locations } from '../entities/locations';
import { siteDayStates } from '../features/calendar';
import { dataOf, daySchema, defineEndpoints, idSchema, nullable, oneOf, pageOf, rowOf } from './endpoint';

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
});
