/** Calls about secrets and assignments of trackers, and the call that devices use to send messages. */
import Type from 'typebox';
import { ref, tags } from '../dsl/field';
import { stateNames } from '../entities/machines';
import { countSchema, dataOf, defineEndpoints, instantSchema, nullable, oneOf, rowOf } from './endpoint';

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }));
const ObservationSchema = Type.Object(
  {
    at: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description: 'ISO 8601 with an offset, or seconds or milliseconds since 1970; by default the time of receipt',
      }),
    ),
    latitude: optionalNumber('degrees'),
    longitude: optionalNumber('degrees'),
    speed: optionalNumber('m/s'),
    heading: optionalNumber('degrees clockwise from north'),
    accuracy: optionalNumber('metres'),
    altitude: optionalNumber('metres'),
    battery: optionalNumber('percent'),
    charging: Type.Optional(Type.Boolean()),
    is_moving: Type.Optional(Type.Boolean()),
    status: Type.Optional(oneOf(['charging', 'cleaning', 'parked', 'online'])),
    mode: Type.Optional(oneOf(['robotic', 'manual', 'teaching'])),
    odometer: optionalNumber('metres, a counter'),
    area: optionalNumber('square metres since the last message'),
    area_total: optionalNumber('square metres, a counter'),
    error: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    floor: Type.Optional(
      Type.Object(
        {
          map_id: Type.String({ maxLength: 200 }),
          x: Type.Number(),
          y: Type.Number(),
          theta: optionalNumber('radians'),
        },
        { description: "Position on the robot's own map, in units of that map" },
      ),
    ),
    run: Type.Optional(
      Type.Object(
        { started_at: Type.String({ format: 'date-time' }), ended_at: Type.Optional(Type.String()) },
        {
          additionalProperties: Type.Unknown(),
          description:
            'A cleaning run with the fields of `runs`, and `map_id` in place of `floor_id`; it counts once per ' +
            '`external_id` of the machine. Without `ended_at` it ended at `at`',
        },
      ),
    ),
  },
  { additionalProperties: Type.Unknown() },
);

/** `read`: values that the rules read from the message; null if it is unreadable. */
const PreviewSchema = Type.Object({
  received_at: instantSchema,
  protocol: Type.String(),
  sent: Type.String(),
  read: nullable(
    Type.Object({
      state: oneOf(stateNames),
      mode: nullable(Type.String()),
      battery: nullable(Type.Integer()),
      attributes: Type.Object({}, { additionalProperties: Type.Unknown() }),
    }),
  ),
});

export const trackerEndpoints = defineEndpoints({
  'POST /trackers/{id}/secret': {
    summary: 'Create a new device secret, shown once',
    tag: 'trackers',
    permission: 'trackers.edit',
    row: 'trackers',
    response: dataOf(Type.Object({ secret: Type.String() })),
    refuses: [401, 403, 404],
  },
  'POST /trackers/{id}/assign': {
    summary: 'Assign a tracker to a machine, or to none',
    tag: 'trackers',
    permission: ['trackers.edit', 'machines.edit'],
    row: 'trackers',
    body: { machine_id: ref('machines') },
    labels: 'documents',
    response: dataOf(rowOf('trackers')),
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /trackers/{id}/preview': {
    summary: 'Preview how key rules read the last messages of a tracker on its machine. Nothing is stored',
    tag: 'trackers',
    permission: 'trackers.edit',
    row: 'trackers',
    body: { key_rules: tags({ format: 'key_rule' }) },
    response: dataOf(Type.Array(PreviewSchema)),
    refuses: [401, 403, 404, 422],
  },
  'POST /types/{id}/preview': {
    summary:
      'Preview how key rules of a type read the last messages of its machines whose trackers have no rules. Nothing ' +
      'is stored',
    tag: 'types',
    permission: ['types.edit', 'trackers.edit'],
    row: 'types',
    body: { key_rules: tags({ format: 'key_rule' }) },
    response: dataOf(Type.Array(PreviewSchema)),
    refuses: [401, 403, 404, 422],
  },
  'POST /trackers/{id}/replay': {
    summary:
      "Read the newest stored messages of a tracker's machine again with the current rules: up to 1,000 or 128 kB",
    tag: 'trackers',
    permission: 'trackers.edit',
    row: 'trackers',
    response: dataOf(
      Type.Object({ messages: countSchema, unreadable: countSchema, removed: countSchema, added: countSchema }),
    ),
    refuses: [401, 403, 404],
  },
  'POST /ingest': {
    summary:
      'Send observations of a device: an array, a single one, or one per line; with its secret as Bearer. Stores ' +
      'all or none; each counts once',
    tag: 'trackers',
    public: true,
    security: 'device',
    payload: Type.Union([Type.Array(ObservationSchema, { maxItems: 10_000 }), ObservationSchema]),
    response: dataOf(Type.Object({ received: countSchema, stored: countSchema })),
    refuses: [400, 401, 404, 409, 413, 422],
  },
});
