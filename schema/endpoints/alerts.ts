/** Alerts and their rules. */
import Type, { type Static } from 'typebox';
import { longtext } from '../dsl/field';
import {
  anyObject,
  countSchema,
  dataOf,
  defineEndpoints,
  idSchema,
  instantSchema,
  nullable,
  oneOf,
  rowOf,
} from './endpoint';

const namedSchema = Type.Object({ id: idSchema, name: Type.String() });

const AlertPreviewSchema = Type.Object({
  count: countSchema,
  days: countSchema,
  from: instantSchema,
  to: instantSchema,
  /** Number of machines that the rule watches. */
  machines: countSchema,
  /** For rules about zones: number of zones that could be evaluated. */
  zones: countSchema,
  /** Number of zones that the rule watches. */
  watched_zones: countSchema,
  /** Number of watched zones that could not be read in time; the next call reads more of them. */
  unread_zones: countSchema,
  /** Latest first. */
  firings: Type.Array(
    Type.Object({
      at: instantSchema,
      until: nullable(instantSchema),
      place: nullable(Type.String()),
      machines: Type.Array(Type.Object({ id: idSchema, serial_number: Type.String() })),
      zones: Type.Array(Type.Object({ id: idSchema, name: Type.String(), floor: namedSchema })),
    }),
  ),
});
export type AlertPreview = Static<typeof AlertPreviewSchema>;

const AlertNoteSchema = Type.Object({
  id: idSchema,
  kind: oneOf(['reported', 'acknowledged', 'closed', 'comment', 'photo']),
  name: Type.String(),
  text: nullable(Type.String({ description: 'Text of a note, or name of a photo, served at /storage/images/{name}' })),
  at: instantSchema,
});

export type AlertNote = Static<typeof AlertNoteSchema>;

const comment = longtext({ max: 4000 });
const acknowledgement = { tag: 'alerts', permission: 'alerts.acknowledge', row: 'alerts', labels: 'alerts' } as const;
const AlertSchema = dataOf(rowOf('alerts'));

export const alertEndpoints = defineEndpoints({
  'POST /alert_rules/preview': {
    summary: 'How often a rule would have fired in the last 30 days; body as for POST /alert_rules, nothing is stored',
    tag: 'alert_rules',
    permission: 'alert_rules.create',
    payload: anyObject,
    response: dataOf(AlertPreviewSchema),
    refuses: [400, 401, 403, 422],
  },
  'POST /alert_rules/{id}/secret': {
    summary: 'Create a new key for signing the webhook, shown once',
    tag: 'alert_rules',
    permission: 'alert_rules.edit',
    row: 'alert_rules',
    response: dataOf(Type.Object({ secret: Type.String() })),
    refuses: [401, 403, 404],
  },
  'POST /alerts/{id}/acknowledge': {
    ...acknowledgement,
    summary: 'Acknowledge an alert; reminders stop',
    body: { comment },
    response: AlertSchema,
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /alerts/{id}/close': {
    ...acknowledgement,
    summary: 'Close an alert',
    body: { comment },
    response: AlertSchema,
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /alerts/{id}/comments': {
    ...acknowledgement,
    summary: 'Comment on an alert',
    body: { comment: longtext({ max: 4000, required: true }) },
    status: 201,
    response: AlertSchema,
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /alerts/{id}/photos': {
    summary: 'Add a photo to a reported problem (jpg, png up to 2 MB, 10 at most); re-encoded without metadata',
    tag: 'alerts',
    permission: ['machines.report', 'alerts.show'],
    row: 'alerts',
    upload: true,
    status: 201,
    response: AlertSchema,
    refuses: [401, 403, 404, 409, 413, 422],
  },
  'GET /alerts/{id}/notes': {
    summary: 'Actions and comments of people, oldest first',
    tag: 'alerts',
    permission: 'alerts.show',
    row: 'alerts',
    response: dataOf(Type.Array(AlertNoteSchema)),
    refuses: [401, 403, 404],
  },
});
