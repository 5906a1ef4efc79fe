/**
 * Permissions that change between authentication and the transaction of a write, for every declared call that writes.
 * The write is authorized by the permissions that hold at its commit.
 */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EndpointKey, type Endpoints, endpoints } from '../../schema/endpoints';
import type { Endpoint } from '../../schema/endpoints/endpoint';
import { entityCalls } from '../../schema/endpoints/entityCalls';
import { pg } from '../../server/db/core/rowShape';
import { importKind } from '../../server/features/imports/enqueueStep';
import { callImport, importFile } from '../support/importFile';
import { add, nextNumber } from '../support/rows';
import { type Method, startTestWorld, type TestApp } from '../support/startTestApp';
import { totpCode } from '../support/totpCode';
import { buildFileForm } from '../support/uploadFile';
import type { World } from '../support/world';

/** Served for each importable entity; machines represent them all. */
const uploadKey = 'POST /{resource}/import';
const calls: Record<string, Endpoint> = {
  ...endpoints,
  [uploadKey]: { ...entityCalls[uploadKey], permission: 'machines.import' },
};

/** Calls that write with a session. Excludes the reading calls allowed during impersonation. */
type WritingKey =
  | typeof uploadKey
  | {
      [K in EndpointKey]: K extends `GET ${string}`
        ? never
        : Endpoints[K] extends { public: true } | { reads: true }
          ? never
          : K;
    }[EndpointKey];

interface PreparedCall {
  params?: Record<string, number | string>;
  body?: object | Buffer;
  headers?: Record<string, string>;
}

interface Person {
  id: number;
  token: string;
}

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const rowCall = (id: number, body?: object): PreparedCall => ({ params: { id }, body });
const uploadCall = (
  params: PreparedCall['params'],
  name = 'a.pdf',
  content: string | Buffer = '%PDF-1.4\n%%EOF',
): PreparedCall => ({ params, ...buildFileForm({ name, content }) });
const createPhoto = () =>
  sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
const addUser = (role: number, client_id: number | null = null) =>
  add(app.db, 'users', {
    email: `person${nextNumber()}@example.com`,
    language_id: world.language,
    role_ids: [role],
    client_id,
  });
const callApi = async <T>({ token }: Person, method: Method, path: string, body?: object): Promise<T> => {
  const { status, body: response, text } = await app.call<{ data: T }>(token, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  return response?.data;
};
const addAddress = async (person: Person, verified: boolean): Promise<PreparedCall> => {
  const storedRow = await app.db.selectOne(
    { id: pg.integer },
    sql`insert into user_emails (user_id, email, verified, position)
      values (${person.id}, ${`more${nextNumber()}@example.com`}, ${verified}, 1) returning id`,
  );
  return rowCall(storedRow?.id as number);
};
const enroll = async (person: Person): Promise<string> =>
  totpCode((await callApi<{ secret: string }>(person, 'POST', 'account/second-factor', {})).secret);
const prepareRecoveryCode = async (person: Person): Promise<PreparedCall> => {
  const code = await enroll(person);
  const { recovery_codes } = await callApi<{ recovery_codes: string[] }>(
    person,
    'POST',
    'account/second-factor/confirm',
    {
      code,
    },
  );
  return { body: { code: recovery_codes[0] } };
};
const addOpenAlert = () =>
  add(app.db, 'alerts', {
    state: 'open',
    client_id: world.north.client,
    machine_ids: [world.north.machines[0] as number],
  });
/** An item of an alert without a location, which also contains the alerts of earlier requests. */
const addInboxItem = async () => {
  await addOpenAlert();
  return { key: `alert:none:${world.north.client}:offline`, count: 1000 };
};
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const createCheckedImport = async ({ token }: Person): Promise<number> => {
  const text = `serial_number,fleet_id,type_id\nR-${nextNumber()},${world.north.fleets[0]},${world.type}\n`;
  return (await importFile(app, token, 'machines', text)).data.id;
};
const prepareCorrection = async (person: Person): Promise<PreparedCall> => ({
  params: { id: await createCheckedImport(person), row: 2 },
  body: { cells: { serial_number: `R-${nextNumber()}` } },
});

/** A successful request for each call. A new call without one does not compile. */
const requests: { [K in WritingKey]: (person: Person) => PreparedCall | Promise<PreparedCall> } = {
  'PUT /users/{id}/language': ({ id }) => rowCall(id, { language_id: world.language }),
  'POST /users/{id}/password': async () =>
    rowCall(await addUser(world.roles.operator), {
      password: 'Correct-Horse-7-Battery!',
      password_confirmation: 'Correct-Horse-7-Battery!',
    }),
  'PUT /account/notifications': () => ({
    body: { choices: [{ event: 'alert_fired', channel: 'email', wanted: true }] },
  }),
  'DELETE /account/sessions': () => ({}),
  'DELETE /account/sessions/{id}': async ({ id }) => {
    await app.createSessionToken(id);
    const storedRow = await app.db.selectOne(
      { id: pg.integer },
      sql`select max(id) as id from sessions where user_id = ${id}`,
    );
    return rowCall(storedRow?.id as number);
  },
  'POST /account/tokens': () => ({ body: { name: 'Script', days: 1 } }),
  'DELETE /account/tokens/{id}': async (person) =>
    rowCall((await callApi<{ id: number }>(person, 'POST', 'account/tokens', { name: 'Script', days: 1 })).id),
  'POST /account/walls': () => ({ body: { name: 'Hall' } }),
  'DELETE /account/walls/{id}': async (person) =>
    rowCall((await callApi<{ id: number }>(person, 'POST', 'account/walls', { name: 'Hall' })).id),
  'POST /account/emails': () => ({ body: { email: `more${nextNumber()}@example.com` } }),
  'POST /account/emails/{id}/verification': (person) => addAddress(person, false),
  'POST /account/emails/{id}/primary': (person) => addAddress(person, true),
  'DELETE /account/emails/{id}': (person) => addAddress(person, false),
  'POST /account/delete': () => ({ body: {} }),
  'POST /account/second-factor': () => ({ body: {} }),
  'POST /account/second-factor/confirm': async (person) => ({ body: { code: await enroll(person) } }),
  'POST /account/second-factor/recovery-codes': prepareRecoveryCode,
  'POST /account/second-factor/off': prepareRecoveryCode,
  'DELETE /users/{id}/second-factor': async () => {
    const id = await addUser(world.roles.operator);
    await prepareRecoveryCode({ id, token: await app.createSessionToken(id) });
    return rowCall(id);
  },
  'DELETE /users/{id}/sessions': async () => rowCall(await addUser(world.roles.operator)),
  'POST /users/{id}/impersonate': () => rowCall(world.north.users.operator),
  'POST /invitations/many': () => ({
    body: {
      emails: `new${nextNumber()}@example.com`,
      role_id: world.roles.operator,
      client_id: world.north.client,
      language_id: world.language,
    },
  }),
  'POST /invitations/{id}/resend': () => rowCall(world.north.invitation),
  'POST /roles/{id}/users': async () =>
    rowCall(world.roles.operator, { user_ids: [await addUser(world.roles.partner, world.north.client)] }),
  'POST /roles/{id}/replace': async () =>
    rowCall(await add(app.db, 'roles', {}), { replacement_id: world.roles.operator }),
  'POST /alert_rules/preview': () => ({ body: { metric: 'state', state: 'Offline' } }),
  'POST /alert_rules/{id}/secret': () => rowCall(world.north.alert_rules[0] as number),
  'POST /alerts/{id}/acknowledge': async () => rowCall(await addOpenAlert(), {}),
  'POST /alerts/{id}/comments': async () => rowCall(await addOpenAlert(), { comment: 'Seen' }),
  'POST /alerts/{id}/photos': async () => uploadCall({ id: await addOpenAlert() }, 'a.png', await createPhoto()),
  'POST /alerts/{id}/close': async () => rowCall(await addOpenAlert(), {}),
  'POST /inbox/acknowledge': async () => ({ body: await addInboxItem() }),
  'POST /inbox/done': async () => ({ body: await addInboxItem() }),
  'POST /inbox/assign': async ({ id }) => ({ body: { ...(await addInboxItem()), user_id: id } }),
  'POST /inbox/snooze': async () => ({ body: { ...(await addInboxItem()), until: tomorrow() } }),
  'POST /inbox/return': async (person) => {
    const item = await addInboxItem();
    await callApi(person, 'POST', 'inbox/snooze', { ...item, until: tomorrow() });
    return { body: item };
  },
  'POST /machines/{id}/problems': () =>
    rowCall(world.north.machines[nextNumber() % 8] as number, { problem: 'other', report: 'It squeaks' }),
  'POST /machines/{id}/documents': () => uploadCall({ id: world.north.machines[0] as number }),
  'POST /floors/{id}/plan': async () =>
    uploadCall({ id: world.north.floors[0] as number }, 'a.png', await createPhoto()),
  'DELETE /floors/{id}/plan': async () => {
    await app.db.rows(sql`update floors set plan = '1 × 1 px' where id = ${world.north.floors[1] as number}`);
    return rowCall(world.north.floors[1] as number);
  },
  'POST /service_entries/{id}/file': () => uploadCall({ id: world.north.service_entries[0] as number }),
  'DELETE /service_entries/{id}/file': () => rowCall(world.north.service_entries[1] as number),
  [uploadKey]: () => uploadCall({ resource: 'machines' }, 'a.csv', 'serial_number'),
  'PUT /imports/{id}/rows/{row}': prepareCorrection,
  'PATCH /imports/{id}/rows/{row}': prepareCorrection,
  'POST /imports/{id}/check': async (person) => rowCall(await createCheckedImport(person), {}),
  'POST /imports/{id}/commit': async (person) => rowCall(await createCheckedImport(person)),
  'POST /imports/{id}/cancel': async (person) => rowCall(await createCheckedImport(person)),
  'POST /imports/{id}/undo': async (person) => {
    const id = await createCheckedImport(person);
    await callImport(app, person.token, 'POST', `${id}/commit`);
    return rowCall(id);
  },
  'POST /locations/{id}/move': () => rowCall(world.north.locations[0], { fleet_id: world.north.fleets[1] }),
  'POST /calendar': () => ({}),
  'DELETE /calendar': () => ({}),
  'POST /trackers/{id}/secret': () => rowCall(world.north.trackers[0] as number),
  'POST /trackers/{id}/assign': () => rowCall(world.unassignedTracker, { machine_id: null }),
  'POST /trackers/{id}/preview': () => rowCall(world.north.trackers[0] as number, { key_rules: [] }),
  'POST /types/{id}/preview': () => rowCall(world.type, { key_rules: [] }),
  'POST /integrations/{id}/secret': async () =>
    rowCall(await add(app.db, 'integrations', { client_id: world.north.client }), {}),
  'POST /integrations/{id}/replay': async () =>
    rowCall(await add(app.db, 'integrations', { client_id: world.north.client })),
  'POST /trackers/{id}/replay': () => rowCall(world.north.trackers[0] as number),
};

/** Calls that store nothing. */
const readOnlyKeys: readonly string[] = [
  'POST /alert_rules/preview',
  'POST /trackers/{id}/preview',
  'POST /types/{id}/preview',
];
const writingKeys = Object.keys(requests).filter((key) => !readOnlyKeys.includes(key)) as WritingKey[];

async function addPerson(): Promise<Person> {
  const id = await addUser(world.roles.admin);
  return { id, token: await app.createSessionToken(id) };
}

const readWriteCounts = async () =>
  app.db.select(
    { relation: pg.text, n: pg.double },
    sql`select relation, sum(n)::float8 as n from write_counts group by relation order by relation`,
  );

/** Waits for imports of earlier calls, the only calls that continue after their response. */
const waitForImports = () =>
  expect
    .poll(() => app.db.rows(sql`select 1 from jobs where kind = ${importKind} and state in ('queued', 'running')`))
    .toEqual([]);

/** Makes a call; `applyChange` is committed just before its first transaction. */
async function callDuring(key: WritingKey, applyChange: (person: Person) => Promise<unknown>) {
  await waitForImports();
  const person = await addPerson();
  const { params = {}, body, headers } = await requests[key](person);
  const [method, path] = key.split(' ') as [Method, string];
  const { transaction } = app.db;
  let countsBefore: unknown;
  app.db.transaction = async (work) => {
    app.db.transaction = transaction;
    await applyChange(person);
    countsBefore = await readWriteCounts();
    return transaction.call(app.db, work) as never;
  };
  try {
    const url = path.slice(1).replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
    const { status, text } = await app.call(person.token, method, url, body, headers);
    return { status, text, hasWritten: JSON.stringify(await readWriteCounts()) !== JSON.stringify(countsBefore) };
  } finally {
    app.db.transaction = transaction;
  }
}

const endSession = ({ id }: Person) => app.db.rows(sql`delete from sessions where user_id = ${id}`);
const removeRoles = ({ id }: Person) => app.db.rows(sql`delete from users_roles where users_id = ${id}`);
const changeOtherUser = () => addUser(world.roles.operator);

test('every declared call that writes has a request here', () => {
  const declaredCalls = Object.entries(calls).filter(
    ([key, endpoint]) => !key.startsWith('GET ') && !endpoint.public && !endpoint.reads,
  );
  expect(declaredCalls.map(([key]) => key).sort()).toEqual(Object.keys(requests).sort());
});

describe.each(writingKeys)('%s', (key) => {
  const { permission } = calls[key] as Endpoint;

  test('succeeds although the access version has changed, if another user’s rights were changed', async () => {
    const { status, text } = await callDuring(key, changeOtherUser);
    expect(status, text).toBeLessThan(300);
  });

  test('writes nothing for a session that has ended', async () => {
    expect(await callDuring(key, endSession)).toMatchObject({ status: 401, hasWritten: false });
  });

  test('writes nothing after the permissions have been revoked', async () => {
    const { status, hasWritten } = await callDuring(key, removeRoles);
    expect([status, hasWritten]).toEqual([permission ? 403 : 409, false]);
  });
});
