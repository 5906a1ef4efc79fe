/** Sort order of texts: natural for users, equal on every database, and provided by an index. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entity } from '../../schema/dsl/entity';
import { parseListQuery } from '../../schema/dsl/listQuery';
import { entities, registry } from '../../schema/index';
import { loadCaller, loadCallerOfUser } from '../../server/auth/loadCaller';
import { sha256 } from '../../server/auth/secrets';
import type { Caller } from '../../server/context/caller';
import { pageSql } from '../../server/crud/query/selectStatements';
import { isProse } from '../../server/db/core/columns';
import { pg } from '../../server/db/core/rowShape';
import { printStatement } from '../../server/db/core/statement';
import { collectColumnUses } from '../../server/db/schema/indexes';
import { readDevices } from '../../server/telemetry/ingest/senders';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let admin: Caller;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  admin = (await loadCaller(app.db, sha256(await app.createSessionToken(world.admin)))) as Caller;
});
afterAll(() => app.close());

interface List {
  data: Record<string, unknown>[];
}
const readList = (path: string) => app.call<List>(world.admin, 'GET', path);

/** Telephone book order: by letters, then accents, then capitals. The last two differ only in case. */
const sortedTexts = [
  'Ångström',
  'apple',
  'Apple',
  'Éclair',
  'Ecole',
  'łódź',
  'Lund',
  'Ofen',
  'Öl',
  'zebra',
  'Zebra',
  'Zürich',
  'Zwickau',
];
const mixedTexts = [...sortedTexts].sort();

describe('texts are sorted with capitals and accents next to their letters', () => {
  test.each([
    ['clients', 'name'],
    ['clients', 'city'],
    ['users', 'last_name'],
    ['machines', 'note'],
    ['types', 'name'],
  ] as const)('%s by %s, in both directions', async (entity, field) => {
    const requiredValues = {
      users: { language_id: world.language },
      clients: { country_id: world.north.country },
      machines: { fleet_id: world.north.fleets[0] },
      types: {},
    };
    const ids: number[] = [];
    for (const word of mixedTexts) ids.push(await add(app.db, entity, { ...requiredValues[entity], [field]: word }));
    const query = `${entity}?per_page=1000&filter[id]=${ids.join(',')}`;
    const ascending = (await readList(`${query}&sort=${field}`)).body.data.map((row) => row[field]);
    expect(ascending).toEqual(sortedTexts);
    expect((await readList(`${query}&sort=-${field}`)).body.data.map((row) => row[field])).toEqual(
      [...sortedTexts].reverse(),
    );
    const pages = await Promise.all(
      [1, 2, 3].map((page) => readList(`${query}&sort=${field}`.replace('per_page=1000', `per_page=5&page=${page}`))),
    );
    expect(pages.flatMap(({ body }) => body.data.map((row) => row[field]))).toEqual(sortedTexts);
  });

  test('across a relation, and in exports', async () => {
    const ids: number[] = [];
    for (const word of mixedTexts)
      ids.push(
        await add(app.db, 'machines', {
          fleet_id: await add(app.db, 'fleets', { name: word, client_id: world.north.client }),
        }),
      );
    const query = `filter[id]=${ids.join(',')}&sort=fleet.name`;
    const { body } = await readList(`machines?per_page=1000&${query}&include=fleet`);
    expect(body.data.map(({ fleet }) => (fleet as { name: string }).name)).toEqual(sortedTexts);
    const { text } = await app.call(world.admin, 'GET', `machines/export?format=csv&columns=fleet_id&${query}`);
    expect(text.trim().split(/\r?\n/).slice(1)).toEqual(sortedTexts);
  });

  test('in the log of a machine', async () => {
    const machine = await add(app.db, 'machines', { fleet_id: world.north.fleets[0], custom_type: 'Scrubber' });
    for (const message of mixedTexts)
      await app.db.rows(
        sql`insert into machine_logs (machine_id, at, level, kind, message) values (${machine}, now(), 'error', 'error', ${message})`,
      );
    const textsSortedBy = async (sort: string) =>
      (await readList(`machines/${machine}/logs?per_page=100&sort=${sort}`)).body.data.map(({ text }) => text);
    expect(await textsSortedBy('text')).toEqual(sortedTexts);
    expect(await textsSortedBy('-text')).toEqual([...sortedTexts].reverse());
  });

  test('serial numbers are sorted by letter, regardless of case', async () => {
    const serials = ['order-a1', 'ORDER-A2', 'order-b1'];
    for (const serial_number of serials)
      await add(app.db, 'machines', { serial_number, fleet_id: world.north.fleets[0] });
    expect(
      (await readList('machines?filter[serial_number]=order-&sort=serial_number')).body.data.map(
        (row) => row.serial_number,
      ),
    ).toEqual(serials);
  });

  test.each(
    entities.filter((entity) => textFieldsOf(entity).length > 0).map((entity) => [entity.name, entity] as const),
  )('%s can be sorted by each of its text fields', async (name, entity) => {
    for (const field of textFieldsOf(entity))
      expect([field, (await readList(`${name}?sort=${field}`)).status]).toEqual([field, 200]);
  });
});

describe('names are compared by their exact characters', () => {
  test('serial numbers that differ only in case are distinct; equal ones are rejected', async () => {
    const createMachine = (serial_number: string) =>
      app.call(world.admin, 'POST', 'machines', {
        serial_number,
        custom_type: 'Special',
        fleet_id: world.north.fleets[0],
      });
    expect([
      (await createMachine('Same-1')).status,
      (await createMachine('same-1')).status,
      (await createMachine('Same-1')).status,
    ]).toEqual([201, 201, 422]);
  });

  test('a device is found only by its exact id', async () => {
    const tracker_id = await add(app.db, 'trackers', { tracker_or_serial: 'Device-É' });
    await add(app.db, 'machines', { tracker_id, fleet_id: world.north.fleets[0] });
    expect([...(await readDevices(app.db, ['device-É', 'Device-É', 'Device-E'])).keys()]).toEqual(['Device-É']);
  });
});

describe('an index provides the order', () => {
  /** The plan of a statement when sorts and sequential scans are used only without an alternative. */
  const explainPlan = (query: ReturnType<typeof sql>) =>
    app.db.transaction(async (tx) => {
      for (const planType of ['sort', 'seqscan', 'bitmapscan'])
        await tx.rows(sql`set local ${sql.raw(`enable_${planType}`)} = off`);
      const { text, params } = printStatement(query);
      return (
        await tx.select(
          { 'QUERY PLAN': pg.text },
          {
            text: `explain (costs off) ${text}`,
            params: params.map((value) => (typeof value === 'object' ? 0 : value)),
          },
        )
      )
        .map((line) => line['QUERY PLAN'])
        .join('\n');
    });
  const indexedFields = [...collectColumnUses(entities)].flatMap(([name, fields]) => {
    const entity = registry[name as keyof typeof registry] as Entity;
    return textFieldsOf(entity)
      .filter((field) => fields.get(field)?.has('order') && entity.fields[field]?.store === undefined)
      .map((field) => [name, field, entity] as const);
  });

  test.each(indexedFields)('of %s by %s, on first and later pages, in both directions', async (name, field, entity) => {
    for (const page of [`sort=${field}`, `sort=-${field}`, `sort=${field}&page=200`]) {
      // Empty values of an optional field come last even in descending order, which no index provides.
      if (page.startsWith('sort=-') && entity.fields[field]?.required !== true) continue;
      expect(
        await explainPlan(
          pageSql({ entity: app.services.model.require(name), caller: admin, query: parseListQuery(page) }),
        ),
      ).toContain(`using ${name}_${field}_idx`);
    }
  });

  test('of the machines of a country without reading the others', async () => {
    const caller = (await loadCallerOfUser(app.db, world.users.country_manager)) as Caller;
    const request = { entity: app.services.model.require('machines'), caller, query: parseListQuery('page=200') };
    expect(await explainPlan(pageSql(request))).toMatch(
      /Index Only Scan using machines_serial_number_idx.*\n.*Filter: .*hashed SubPlan/,
    );
  });

  test('and finds a device by its id', async () => {
    // With few trackers every index costs the same.
    await app.db.rows(sql`
      insert into trackers (refno, tracker_or_serial) select 'many ' || n, 'many ' || n from generate_series(1, 1000) n`);
    await app.db.rows(sql`analyze trackers`);
    expect(
      await explainPlan(
        sql`select id from trackers where tracker_or_serial collate "und-x-icu" = 'x' and deleted_at is null`,
      ),
    ).toContain('trackers_tracker_or_serial_idx');
  });
});

function textFieldsOf(entity: Entity): string[] {
  return Object.entries(entity.fields)
    .filter(([, field]) => isProse(field))
    .map(([name]) => name);
}
