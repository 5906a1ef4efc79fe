/** Secrets and mounting of trackers, and what devices send. */
import Type from 'typebox';
import { ref } from '../dsl/field';
import { countSchema, dataOf, defineEndpoints, oneOf, rowOf } from './endpoint';

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

export const trackerEndpoints = defineEndpoints({
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
