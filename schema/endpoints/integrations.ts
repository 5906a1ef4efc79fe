/** Calls that vendors' clouds make, and calls about the messages received from them. */
import Type from 'typebox';
import { jsonField, longtext, text } from '../dsl/field';
import {
  anyObject,
  countSchema,
  dataOf,
  defineEndpoints,
  idSchema,
  instantSchema,
  nullable,
  oneOf,
  pageOf,
} from './endpoint';

const CountsSchema = Type.Object({ stored: countSchema, duplicates: countSchema, unread: countSchema });

/** What an object of a message becomes. `problems` are sentences; without any, the object would be stored. */
const PreviewItemSchema = Type.Object({
  kind: oneOf(['runs', 'states']),
  /** Position among the objects of its kind. */
  index: countSchema,
  serial: nullable(Type.String()),
  machine: nullable(Type.Object({ id: idSchema, serial_number: Type.String() })),
  values: anyObject,
  problems: Type.Array(Type.String()),
});

const StoredMessageSchema = Type.Object({
  id: idSchema,
  received_at: instantSchema,
  /** Number of times that the message was received. */
  times: Type.Integer({ minimum: 1 }),
  body: Type.String(),
  problems: Type.Array(Type.String()),
});

export const integrationEndpoints = defineEndpoints({
  'POST /integrations/{id}/secret': {
    summary:
      'Create a new secret, shown once, or store one issued by the vendor, such as the appId of Gausium or the ' +
      'CallbackCode of Pudu',
    tag: 'integrations',
    permission: 'integrations.edit',
    row: 'integrations',
    body: { secret: text({ min: 16, max: 200, format: 'serial' }) },
    labels: 'integrations',
    response: dataOf(Type.Object({ secret: Type.String() })),
    refuses: [401, 403, 404, 422],
  },
  'POST /integrations/{id}/preview': {
    summary: 'Preview how a mapping, by default the current one, reads a message. Nothing is stored',
    tag: 'integrations',
    permission: 'integrations.edit',
    reads: true,
    row: 'integrations',
    body: { message: longtext({ required: true, max: 1_000_000 }), mapping: jsonField('mapping') },
    labels: 'integrations',
    response: dataOf(
      Type.Object({
        items: Type.Array(PreviewItemSchema),
        total: countSchema,
        ignored: countSchema,
        problems: Type.Array(Type.String()),
      }),
    ),
    refuses: [400, 401, 403, 404, 422],
  },
  'GET /integrations/{id}/messages': {
    summary: 'Messages that could not be read completely, newest first, stored for 30 days',
    tag: 'integrations',
    permission: 'integrations.edit',
    row: 'integrations',
    dialect: ['page'],
    response: pageOf(StoredMessageSchema),
    refuses: [401, 403, 404],
  },
  'POST /integrations/{id}/replay': {
    summary: 'Read stored messages again with the current mapping, oldest first; up to 100 that it has not read yet',
    tag: 'integrations',
    permission: 'integrations.edit',
    row: 'integrations',
    response: dataOf(Type.Object({ ...CountsSchema.properties, messages: countSchema, remaining: countSchema })),
    refuses: [401, 403, 404],
  },
  'POST /ingest/hooks/{id}': {
    summary:
      'A message of a vendor, unchanged; with the secret as Bearer, as HMAC-SHA256 of the body in X-Signature-256, ' +
      'or as the vendor sends it (Gausium: appId in the body; Pudu: header CallbackCode). Items that cannot be read ' +
      'are stored',
    tag: 'integrations',
    public: true,
    security: 'device',
    payload: anyObject,
    response: dataOf(CountsSchema),
    refuses: [400, 401, 413],
  },
});
