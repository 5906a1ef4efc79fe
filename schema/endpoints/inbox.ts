/** Calls of the inbox: items that need a person now, and what people can do about them. */
import Type, { type Static } from 'typebox';
import { boolean, instant, integer, ref, text } from '../dsl/field';
import { alertSeverities } from '../entities/alert_rules';
import { inboxActs, inboxKinds, maxInboxItems } from '../features/inbox';
import { countSchema, dataOf, daySchema, defineEndpoints, idSchema, instantSchema, nullable, oneOf } from './endpoint';

const ReferenceSchema = nullable(Type.Object({ id: idSchema, name: Type.String() }));

const InboxItemSchema = Type.Object({
  /** The same for all readers, and as long as the item's findings are grouped alike. */
  key: Type.String(),
  kind: oneOf(inboxKinds),
  severity: oneOf(alertSeverities),
  /** Metric and code of an alert, state of a site day, or kind of a job. */
  cause: Type.String(),
  /** Finding of an alert, in the reader's language. */
  finding: nullable(Type.String()),
  /** Number of findings: alerts, machines, sites, devices, imports or jobs. */
  count: countSchema,
  /** Number of sites that have findings. */
  sites: countSchema,
  location: ReferenceSchema,
  client: ReferenceSchema,
  /** The first three names. */
  names: Type.Array(Type.String()),
  /** Ids of the rows that were found, unless there are more than a hundred. */
  ids: Type.Array(idSchema),
  /** Time of the earliest finding. */
  since: nullable(instantSchema),
  /** Day of the site day or zone alert, or earliest due date of a service. */
  day: nullable(daySchema),
  /** Text of the reporter, error of a job, or protocol of a device. */
  detail: nullable(Type.String()),
  assignee: nullable(Type.String()),
  assigned_by: nullable(Type.String()),
  /** Time until which the item is snoozed. */
  until: nullable(instantSchema),
  /** Actions that the caller may take, most useful first. */
  acts: Type.Array(oneOf([...inboxActs, 'return'])),
});
export type InboxItem = Static<typeof InboxItemSchema>;

const InboxSchema = Type.Object({
  /** Number of items that need the caller. */
  total: countSchema,
  /** Number of items that the caller snoozed, or that somebody else takes care of. */
  aside: countSchema,
  items: Type.Array(InboxItemSchema, { maxItems: maxInboxItems }),
});
export type InboxResult = Static<typeof InboxSchema>;

/** `count` is the number that the person saw. If there are more by now, nothing happens (409). */
const actEndpoint = {
  tag: 'inbox',
  body: { key: text({ required: true, max: 300 }), count: integer({ required: true, min: 1 }) },
  response: dataOf(Type.Object({ count: countSchema })),
  refuses: [401, 403, 404, 409, 422],
} as const;
/** Actions that affect everybody who sees the item. */
const sharedActEndpoint = { ...actEndpoint, permission: 'alerts.acknowledge' } as const;

export const inboxEndpoints = defineEndpoints({
  'GET /inbox': {
    summary: 'Items that need the caller now, worst first; with `aside`, those that are snoozed or assigned',
    tag: 'inbox',
    wall: true,
    query: { aside: boolean() },
    response: dataOf(InboxSchema),
    refuses: [401, 422],
  },
  'POST /inbox/acknowledge': { ...sharedActEndpoint, summary: 'Take an item: it leaves the inbox of everybody' },
  'POST /inbox/assign': {
    ...sharedActEndpoint,
    summary: 'Assign an item to a user who sees all of it',
    body: { ...actEndpoint.body, user_id: ref('users', { required: true }) },
    labels: 'audit',
  },
  'POST /inbox/snooze': {
    ...actEndpoint,
    summary: 'Snooze an item until a time, or until something is added to it',
    body: { ...actEndpoint.body, until: instant({ required: true }) },
  },
  'POST /inbox/done': { ...sharedActEndpoint, summary: 'Close the alerts of an item; dismiss a failure or a device' },
  'POST /inbox/return': { ...actEndpoint, summary: 'Return a snoozed or assigned item to the inbox' },
});
