/** Call for the timelines of the machines of a list, one row per machine. */
import Type, { type Static } from 'typebox';
import { choice, text } from '../dsl/field';
import { countSchema, defineEndpoints, each, idSchema, instantSchema, nullable, pagedDataOf } from './endpoint';

/** How the fleet timeline groups its rows, and how it orders them within a group: by name, or by the longest time. */
export const timelineGroups = ['location', 'type', 'client'] as const;
export const timelineOrders = ['name', 'idle', 'offline'] as const;

const FleetTimelineSchema = Type.Object({
  from: instantSchema,
  to: Type.String({ format: 'date-time', description: 'At most the present' }),
  groups: Type.Array(Type.Object({ id: idSchema, name: Type.String() }), {
    description: 'Only groups that the caller may see',
  }),
  machines: Type.Array(
    Type.Object({
      id: idSchema,
      serial_number: Type.String(),
      group: nullable(idSchema),
      ...each(['cleaning', 'charging', 'parked', 'online', 'offline'], countSchema),
      pieces: Type.Array(Type.Integer({ minimum: 0 }), {
        description:
          'Pairs in one list: the second since `from` at which a state begins, and its code (0 Offline, 1 Online, ' +
          '2 Parked, 3 Charging, 4 Cleaning, 5 before the first message, which the sums count as Offline). ' +
          'Neighbouring states shorter than a two-thousandth of the period are merged here, but not in the sums.',
      }),
    }),
  ),
});
export type FleetTimelineResult = Static<typeof FleetTimelineSchema>;

export const fleetTimelineEndpoints = defineEndpoints({
  'GET /machines/timeline': {
    summary: 'States of the machines of a list over at most 31 days; sorted by time for up to 5,000 machines',
    tag: 'machines',
    wall: true,
    permission: 'machines.list',
    // Days, or moments in ISO 8601.
    query: {
      from: text(),
      to: text(),
      group: choice(timelineGroups),
      sort: choice(timelineOrders, { default: 'name' }),
    },
    dialect: ['filter', 'page'],
    replica: true,
    response: pagedDataOf(FleetTimelineSchema),
    refuses: [400, 401, 403, 422],
  },
});
