/** The inbox: what needs a person now, and what people do about it. */
import Type, { type Static } from 'typebox';
import { boolean, instant, integer, ref, text } from '../dsl/field';
import { alertSeverities } from '../entities/alert_rules';
import { inboxActs, inboxKinds, maxInboxItems } from '../features/inbox';
import { countSchema, dataOf, daySchema, defineEndpoints, idSchema, instantSchema, nullable, oneOf } from './endpoint';

const PlaceSchema = nullable(Type.Object({ id: idSchema, name: Type.String() }));

const InboxItemSchema = Type.Object({
  /** Stable while the finding lasts. */
  key: Type.String(),
  kind: oneOf(inboxKinds),
  severity: oneOf(alertSeverities),
  /** Metric and code of an alert, state of a site day, kind of a job. */
  cause: Type.String(),
  /** Of an alert, in the reader's language. */
  finding: nullable(Type.String()),
  /** Number of findings: alerts, machines, sites, devices, imports or jobs. */
  count: countSchema,
  /** Number of sites with them. */
  sites: countSchema,
  location: PlaceSchema,
  client: PlaceSchema,
  /** The first three, by name. */
  names: Type.Array(Type.String()),
  /** Ids of the rows found, unless there are more than a hundred. */
  ids: Type.Array(idSchema),
  /** Earliest. */
  since: nullable(instantSchema),
  /** The day of a missed cleaning, the earliest due date of a service. */
  day: nullable(daySchema),
  /** Words of the reporter, or the error of a job. */
  detail: nullable(Type.String()),
  assignee: nullable(Type.String()),
  assigned_by: nullable(Type.String()),
  /** The item was put off until then. */
  until: nullable(instantSchema),
  /** Actions that the caller may take, the most useful first. */
  acts: Type.Array(oneOf([...inboxActs, 'return'])),
});
export type InboxItem = Static<typeof InboxItemSchema>;

const InboxSchema = Type.Object({
  /** Number of items that need the caller. */
  total: countSchema,
  /** Number of items that the caller put off, or that somebody else takes care of. */
  aside: countSchema,
  items: Type.Array(InboxItemSchema, { maxItems: maxInboxItems }),
});
export type InboxResult = Static<typeof InboxSchema>;

/** `count`: the number that the person saw; if there are more by now, nothing is done (409). */
const act = {
  tag: 'inbox',
  body: { key: text({ required: true, max: 300 }), count: integer({ required: true, min: 1 }) },
  response: dataOf(Type.Object({ count: countSchema })),
  refuses: [401, 403, 404, 409, 422],
} as const;
const shared = { ...act, permission: 'alerts.acknowledge' } as const;

export const inboxEndpoints = defineEndpoints({
  'GET /inbox': {
    summary: 'Items that need the caller now, worst first; with `aside` those snoozed or assigned',
    tag: 'inbox',
    wall: true,
    query: { aside: boolean() },
    response: dataOf(InboxSchema),
    refuses: [401, 422],
  },
  'POST /inbox/acknowledge': { ...shared, summary: 'Take an item: it leaves the inbox of everybody' },
  'POST /inbox/assign': {
    ...shared,
    summary: 'Assign an item to a user who sees all of it',
    body: { ...act.body, user_id: ref('users', { required: true }) },
    labels: 'audit',
  },
  'POST /inbox/snooze': {
    ...act,
    summary: 'Snooze an item until a time, or until something is added to it',
    body: { ...act.body, until: instant({ required: true }) },
  },
  'POST /inbox/done': { ...shared, summary: 'Close the alerts of an item; dismiss a failure or a device' },
  'POST /inbox/return': { ...act, summary: 'Return a snoozed or assigned item to the inbox' },
});
