/**
 * Size limits of requests. A request beyond a limit is rejected with a 400 that names the limit, before any work is
 * done; a request at the limit is accepted.
 */
import { Agent, request } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestWorld, type TestApp } from '../../support/startTestApp';
import type { World } from '../../support/world';

let app: TestApp;
let world: World;

interface RefusalBody {
  message: string;
  errors?: Record<string, string[]>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const buildKeys = (count: number) => Object.fromEntries(times(count, (index) => [`k${index}`, 1]));

/** CPU milliseconds of this process, which runs the application; minimum of three calls. */
async function measureCpuTime(call: () => Promise<unknown>): Promise<number> {
  const cpuTimes: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const cpuBefore = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuTimes.push((user + system) / 1000);
  }
  return Math.min(...cpuTimes);
}

describe('key-value pairs', () => {
  test('rejects a form of 20,000 pairs at once, reads one of 1,000', async () => {
    const sendManyPairs = () => app.call<RefusalBody>(undefined, 'POST', 'login', 'a=&'.repeat(20_000), formHeaders);
    const { status, body } = await sendManyPairs();
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'A form or query may have at most 1,000 pairs of name and value.',
    });
    expect(await measureCpuTime(sendManyPairs)).toBeLessThan(250);
    const responseAtLimit = await app.call<RefusalBody>(
      undefined,
      'POST',
      'login',
      times(1000, () => 'a=').join('&'),
      formHeaders,
    );
    expect([responseAtLimit.status, Object.keys(responseAtLimit.body.errors ?? {}).sort()]).toEqual([
      422,
      ['a', 'email', 'password'],
    ]);
  });

  test('rejects a multipart form of 1,001 pairs, reads one of 1,000', async () => {
    const buildForm = (count: number) =>
      `${times(count, (index) => `--b\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\nx\r\n`).join('')}--b--\r\n`;
    const send = (count: number) =>
      app.call<RefusalBody>(world.admin, 'POST', 'fleets', Buffer.from(buildForm(count)), {
        'content-type': 'multipart/form-data; boundary=b',
      });
    const { status, body } = await send(1001);
    expect([status, body.message]).toEqual([400, 'A form or query may have at most 1,000 pairs of name and value.']);
    const responseAtLimit = await send(1000);
    expect(responseAtLimit.status).toBe(422);
    expect(Object.keys(responseAtLimit.body.errors ?? {}).length).toBeLessThanOrEqual(20);
  });

  test('rejects a query string of 1,001 pairs', async () => {
    const { status, body } = await app.call<RefusalBody>(world.admin, 'GET', `machines?${'a&'.repeat(1001)}`);
    expect([status, body.message]).toEqual([400, 'A form or query may have at most 1,000 pairs of name and value.']);
  });
});

describe('JSON', () => {
  const message = 'An object may have at most 1,000 keys.';

  test.each([
    ['at the top level', () => buildKeys(1001)],
    ['nested', () => ({ name: 'x', a: { b: [{ c: buildKeys(1001) }] } })],
    ['of 80,000', () => buildKeys(80_000)],
  ])('rejects an object with more than 1,000 keys %s with 400, before it is built', async (_, make) => {
    const body = JSON.stringify(make());
    const json = { 'content-type': 'application/json' };
    for (const [caller, path] of [[undefined, 'login'] as const, [world.admin, 'fleets'] as const]) {
      const send = () => app.call<RefusalBody>(caller, 'POST', path, body, json);
      const response = await send();
      expect([response.status, response.body.message]).toEqual([400, message]);
      expect(await measureCpuTime(send)).toBeLessThan(100);
    }
  });

  test('counts keys by structure, not by characters in strings', async () => {
    const note = ':,{}[]"\\'.repeat(1200);
    const { status, body } = await app.call<{ data: { note: string } }>(
      world.admin,
      'PUT',
      `machines/${world.north.machines[0]}`,
      { note },
    );
    expect([status, body.data.note]).toEqual([200, note]);
  });

  test('reads 1,000 keys, and reports at most twenty problems with their total', async () => {
    const { status, body } = await app.call<RefusalBody>(world.admin, 'POST', 'fleets', buildKeys(1000));
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toHaveLength(20);
    // The name and the client are missing, too.
    expect(body.message).toMatch(/\(and 1,?00\d more errors\)$/);
    const german = await app.call<RefusalBody>(undefined, 'POST', 'login', buildKeys(1000), {
      'accept-language': 'de',
    });
    expect(german.body.message).toMatch(/\(und 1\.?00\d weitere Fehler\)$/);
  });

  test('rejects many unknown keys in records within a second', async () => {
    const emails = times(50, () => buildKeys(1000));
    const { status, body } = await app.call<RefusalBody>(world.admin, 'POST', 'users', { emails });
    expect([status, Object.keys(body.errors ?? {}).length]).toEqual([422, 20]);
    expect(await measureCpuTime(() => app.call(world.admin, 'POST', 'users', { emails }))).toBeLessThan(1000);
  });

  test('rejects nesting deeper than 32 levels, reads 32', async () => {
    const nestedJson = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const send = (levels: number) =>
      app.call<RefusalBody>(undefined, 'POST', 'login', nestedJson(levels), { 'content-type': 'application/json' });
    expect((await send(33)).status).toBe(400);
    expect((await send(32)).status).toBe(422);
    const response = await app.call(undefined, 'POST', 'login', '['.repeat(1_000_000), {
      'content-type': 'application/json',
    });
    expect(response.status).toBe(400);
  });
});

describe('references', () => {
  test('limits the ids of one field to 1,000', async () => {
    const ids = times(1001, (index) => index + 1);
    const message = 'machine_ids: at most 1,000 references.';
    const requests = [
      app.call<RefusalBody>(world.admin, 'POST', 'users', { machine_ids: ids }),
      app.call<RefusalBody>(world.admin, 'PUT', `users/${world.users.operator}`, { machine_ids: ids }),
      app.call<RefusalBody>(world.admin, 'PUT', 'users', { ids: [world.users.operator], data: { machine_ids: ids } }),
      app.call<RefusalBody>(world.admin, 'PUT', 'users', {
        changes: [{ id: world.users.operator, data: { machine_ids: ids } }],
      }),
      app.call<RefusalBody>(world.admin, 'PUT', 'users', { ids: [world.users.operator], add: { machine_ids: ids } }),
    ];
    for (const { status, body } of await Promise.all(requests)) expect([status, body.message]).toEqual([400, message]);
  });

  test('limits the ids of a bulk call to 10,000', async () => {
    const ids = times(10_001, (index) => index + 1);
    for (const [method, path] of [
      ['PUT', 'machines'],
      ['DELETE', 'machines'],
      ['POST', 'machines/restore'],
      ['POST', 'machines/tally'],
    ] as const)
      for (const idsValue of [ids, ids.join(',')]) {
        const { status, body } = await app.call<RefusalBody>(world.admin, method, path, {
          ids: idsValue,
          data: { note: 'x' },
          by: 'fleet_id',
        });
        expect([status, body.message]).toEqual([
          400,
          'A list may have at most 10,000 entries; bulk work on more rows names them by a filter.',
        ]);
      }
  });

  test('reports invalid values only once', async () => {
    const { status, body } = await app.call<RefusalBody>(world.admin, 'PUT', 'machines', {
      ids: world.north.machines,
      data: buildKeys(999),
    });
    expect([status, Object.keys(body.errors ?? {}).length]).toEqual([422, 20]);
    expect(body.message).toMatch(/\(and 998 more errors\)$/);
  });
});

describe('filters', () => {
  const listMachines = (query: string) => app.call<RefusalBody>(world.admin, 'GET', `machines?${query}`);
  const values = (count: number, make: (index: number) => string = (index) => `v${index}`) =>
    times(count, make).join(',');

  test.each([
    ['filter[note]=', 'a'.repeat(251), 'note: at most 250 characters in a filter or search.'],
    ['filter[fleet.name.begins]=', 'a'.repeat(251), 'fleet.name.begins: at most 250 characters in a filter or search.'],
    ['filter[search]=', 'a'.repeat(251), 'search: at most 250 characters in a filter or search.'],
    ['filter[note]=', values(101), 'note: at most 100 alternatives in a filter.'],
    ['filter[price]=', values(101, String), 'price: at most 100 alternatives in a filter.'],
    ['filter[status.not]=', values(101), 'status.not: at most 100 alternatives in a filter.'],
    ['filter[id]=', values(1001, String), 'id: at most 1,000 references.'],
    ['filter[fleet_id]=', values(1001, String), 'fleet_id: at most 1,000 references.'],
    ['filter[search]=', times(21, () => 'a').join('%20'), 'A search takes at most 20 words.'],
    [
      '',
      times(
        51,
        (index) =>
          `filter[fleet.${'client.'.repeat(index % 2)}name${['', '.is', '.begins', '.not'][index % 4]}][]=${index}&filter[m${index}]=1`,
      ).join('&'),
      undefined,
    ],
    ['sort=', times(21, () => 'note').join(','), 'At most 20 sort keys at once.'],
  ])('rejects %s beyond its limit with 400', async (name, value, message) => {
    const { status, body } = await listMachines(`${name}${value}`);
    expect(status).toBe(400);
    if (message) expect(body.message).toBe(message);
  });

  test.each([
    ['filter[note]=', 'é'.repeat(250)],
    ['filter[note]=', values(100)],
    ['filter[tags]=', ''],
    ['filter[id]=', values(1000, String)],
    ['filter[search]=', times(20, () => 'a').join('%20')],
  ])('accepts %s at its limit', async (name, value) => {
    expect((await listMachines(`${name}${value}`)).status).toBe(200);
  });

  test('many alternatives match the same rows as a few equivalent ones', async () => {
    await app.db.rows(sql`update machines set note = 'ÄÖ 100% _done_' where id = ${world.north.machines[0]}`);
    const search = async (query: string) =>
      (await app.call<{ data: { id: number }[] }>(world.admin, 'GET', `machines?per_page=100&${query}`)).body.data.map(
        ({ id }) => id,
      );
    const otherWords = values(20, (index) => `zz${index}`);
    for (const text of ['äö', '100%25', '_DONE_', '0% _d', 'x_done'])
      expect(await search(`filter[note]=${otherWords},${text}`)).toEqual(await search(`filter[note]=${text}`));
    const [matchesWithAlternatives, matchesOfNull] = await Promise.all([
      search(`filter[note]=null,${otherWords}`),
      search('filter[note]=null'),
    ]);
    expect([matchesWithAlternatives, matchesWithAlternatives.length > 0]).toEqual([matchesOfNull, true]);
    expect(await search(`filter[note.is.not]=${otherWords},äö 100%25 _done_`)).not.toContain(world.north.machines[0]);
  });

  test('applies the limits wherever filters are accepted: bulk work, exports, facets, maps, logs, global search', async () => {
    const longText = 'a'.repeat(251);
    const attempts = [
      app.call<RefusalBody>(world.admin, 'PUT', 'machines', { filter: { note: longText }, data: { note: 'x' } }),
      app.call<RefusalBody>(world.admin, 'PUT', 'machines', {
        filter: { note: times(101, String) },
        data: { note: 'x' },
      }),
      ...[
        `machines/export?filter[note]=${longText}`,
        `machines/facets?filter[note]=${longText}`,
        `machines/map?filter[note]=${longText}`,
        `machines/${world.north.machines[0]}/logs?filter[text]=${longText}`,
        `machines/${world.north.machines[0]}/logs?filter[search]=${values(101)}`,
        `machines/${world.north.machines[0]}/logs/export?filter[search]=${longText}`,
        `search?q=${longText}`,
        `search?q=${times(21, () => 'a').join('+')}`,
      ].map((path) => app.call<RefusalBody>(world.admin, 'GET', path)),
    ];
    for (const { status, body } of await Promise.all(attempts))
      expect([status, body.message]).toEqual([400, expect.stringMatching(/at most (250|100|20) /)]);
  });
});

describe('includes', () => {
  test('limits included rows to 5,000 per response, in reads and writes', async () => {
    await app.db.rows(sql`
      insert into machines (serial_number, fleet_id, type_id) select 'M' || n, ${world.south.fleets[0]}::int, ${world.type}::int from generate_series(1, 3000) n`);
    const message =
      'The included lists hold more than 5,000 rows: ask for fewer rows at once, or list them by themselves.';
    const requestHugeInclude = () =>
      app.call<RefusalBody>(world.admin, 'GET', 'machines?per_page=1000&include=fleet.machines.fleet&sort=-id');
    const { status, body } = await requestHugeInclude();
    expect([status, body.message]).toEqual([400, message]);
    for (const path of ['machines?include=fleet.machines&sort=-id', 'locations?include=fleet.machines&per_page=100'])
      expect((await app.call<RefusalBody>(world.admin, 'GET', path)).body.message).toBe(message);
    const response = await app.call<{ data: { machines: unknown[] } }>(
      world.admin,
      'GET',
      `fleets/${world.south.fleets[0]}?include=machines,machinesCount`,
    );
    expect([response.status, response.body.data.machines.length]).toEqual([200, 3004]);
    const limitedResponse = await app.call<RefusalBody>(
      world.admin,
      'GET',
      `machines?include=fleet.machines,documents&filter[fleet_id]=${world.north.fleets[0]}&page=2&per_page=2`,
    );
    expect(limitedResponse.status).toBe(200);
    const [fleet, client] = [world.south.fleets[0], world.south.client];
    const changed = { name: 'Never stored', color: '#0b7a75' };
    const writes = [
      ['PATCH', `fleets/${fleet}?include=machines.fleet.machines`, changed],
      ['POST', 'fleets?include=client.machines,client.fleets.machines', { ...changed, client_id: client }],
    ] as const;
    for (const [method, path, values] of writes) {
      const write = await app.call<RefusalBody>(world.admin, method, path, values);
      expect([method, write.status, write.body.message]).toEqual([method, 400, message]);
    }
    expect(await app.db.rows(sql`select id from fleets where name = ${changed.name}`)).toEqual([]);
    await app.db.rows(sql`delete from machines where serial_number ~ '^M[0-9]+$'`);
  });
});

test('a write returns the lists that the request includes', async () => {
  const role = await app.call<{ data: { id: number } }>(world.admin, 'POST', 'roles', {
    name: 'Asks',
    scope: 'client',
  });
  const path = `roles/${role.body.data.id}?include=permissions,usersCount`;
  const { status, body } = await app.call(world.admin, 'PUT', path, { permission_ids: [1, 2] });
  expect([status, body]).toMatchObject([200, { data: { permissions: [{ id: 1 }, { id: 2 }], users_count: 0 } }]);
});

describe('empty multipart form', () => {
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

  test.each(['', '--b--\r\n', '--b--'])('is rejected by every call that accepts one: %j', async (body) => {
    const calls = [
      [world.admin, 'POST', `users/patch/${world.users.operator}`],
      [world.admin, 'POST', `users/${world.users.operator}`],
      [world.admin, 'PUT', `users/${world.users.operator}`],
      [world.admin, 'POST', 'fleets'],
      [world.admin, 'POST', 'machines/import'],
      [world.admin, 'POST', `machines/${world.north.machines[0]}/documents`],
      [undefined, 'POST', 'login'],
    ] as const;
    for (const [caller, method, path] of calls) {
      const response = await app.call<RefusalBody>(caller, method, path, Buffer.from(body), multipart);
      expect([path, response.status, response.body.message]).toEqual([path, 400, 'What was sent cannot be read.']);
    }
  });
});

test('responds 503 with a message and Retry-After when a statement is cancelled', async () => {
  await app.db.rows(
    sql`create function cancel_statement() returns trigger language plpgsql as 'begin raise query_canceled; end'`,
  );
  await app.db.rows(
    sql`create trigger cancel_statement before insert on types for each row when (new.name = 'slow') execute function cancel_statement()`,
  );
  const { status, headers, body } = await app.call<RefusalBody>(world.admin, 'POST', 'types', { name: 'slow' });
  expect([status, headers['retry-after'], body.message]).toEqual([
    503,
    '10',
    'This took too long and was ended. Ask for less, or try again shortly.',
  ]);
});

test('a form that is rejected halfway does not delay the next request on its connection', async () => {
  const origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(`${origin}${path}`, { method, agent, headers }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const files = times(
    5,
    () => `--b\r\nContent-Disposition: form-data; name="x"; filename="a.png"\r\n\r\n${'x'.repeat(300_000)}\r\n`,
  );
  const body = Buffer.from(`${files.join('')}--b--\r\n`);
  const start = performance.now();
  for (let round = 0; round < 3; round += 1) {
    expect(
      await call(
        'POST',
        '/api/v1/login',
        { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(body.length) },
        body,
      ),
    ).toBe(422);
    expect(await call('GET', '/healthz', {})).toBe(200);
  }
  // If the server did not read the rest, the connection would be dropped after 72 s.
  expect(performance.now() - start).toBeLessThan(20_000);
  agent.destroy();
});
