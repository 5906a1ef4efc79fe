/** Opening hours of locations: written as text or structure, returned as structure. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hours } from '../../schema/dsl/hours';
import { pg } from '../../server/db/core/rowShape';
import { convertTextHours } from '../../server/db/open/convertTextHours';
import { importFile } from '../support/importFile';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let id: number;
interface ResponseBody {
  data: { opening_hours: Hours | null; version: number };
  errors?: Record<string, string[]>;
}
interface OpeningResponse {
  data: {
    country: string | null;
    region: string | null;
    open: boolean | null;
    changes_at: string | null;
    days: { day: string; holiday: string | null; spans: { from: string; to: string }[] | null }[];
  };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  id = world.north.locations[0] as number;
  const germany = await app.db.selectOne({ id: pg.integer }, sql`select id from countries where name = 'Germany'`);
  await app.db.rows(
    sql`update locations set time_zone = 'Europe/Berlin', holiday_country_id = ${germany?.id ?? null} where id = ${id}`,
  );
});
afterAll(() => app.close());

const writeHours = (opening_hours: unknown, headers?: Record<string, string>) =>
  app.call<ResponseBody>(world.admin, 'PATCH', `locations/${id}`, { opening_hours }, headers);
const readOpening = async (query: string) =>
  (await app.call<OpeningResponse>(world.admin, 'GET', `locations/${id}/opening?${query}`)).body.data;

const text = 'Mo-Fr 06:00-22:00; Sa 08:00-14:00; PH off; 2026-12-24 08:00-12:00';
const weekday = [{ to: '22:00', from: '06:00' }];
const structure = {
  note: null,
  text,
  week: {
    fr: weekday,
    mo: weekday,
    sa: [{ to: '14:00', from: '08:00' }],
    su: [],
    th: weekday,
    tu: weekday,
    we: weekday,
  },
  holidays: [],
  exceptions: [{ to: '2026-12-24', from: '2026-12-24', spans: [{ to: '12:00', from: '08:00' }] }],
};

describe('a write', () => {
  test('accepts text or structure, and returns the structure', async () => {
    const first = await writeHours('Mon–Fri 6-22, Sat 8-14; PH off; 24.12.2026 8-12');
    expect([first.status, first.body.data.opening_hours]).toEqual([200, structure]);
    const { text: _, note: __, ...hours } = structure;
    const second = await writeHours(hours);
    expect(second.body.data).toMatchObject({ opening_hours: structure, version: first.body.data.version });
    const createResponse = await app.call<ResponseBody>(world.admin, 'POST', 'locations', {
      name: 'Hours',
      fleet_id: world.north.fleets[0],
      address: 'Street 1',
      postal_code: '12345',
      city: 'City',
      opening_hours: text,
    });
    expect([createResponse.status, createResponse.body.data.opening_hours]).toEqual([201, structure]);
  });

  test('stores unreadable text as a note, and an empty text as null', async () => {
    expect((await writeHours('by arrangement')).body.data.opening_hours).toMatchObject({
      week: null,
      note: 'by arrangement',
    });
    expect((await writeHours('')).body.data.opening_hours).toBeNull();
  });

  test.each([
    [{ week: { mo: [{ from: '6:00', to: '22:00' }] } }, /two different times/],
    [{ week: { mo: [{ from: '06:00', to: '06:00' }] } }, /two different times/],
    [{ exceptions: [{ from: '2026-12-26', to: '2026-12-24', spans: [] }] }, /first day/],
    [{ exceptions: [{ from: '2026-02-30', to: '2026-02-30', spans: [] }] }, /first day/],
    [{ monday: [] }, /no opening hours/],
    [{ week: { mon: [] } }, /no opening hours/],
    [{ note: 'x\u0000' }, /characters/],
    [{ note: 'x'.repeat(1001) }, /no opening hours/],
    [{ exceptions: [null] }, /no opening hours/],
    [[], /no opening hours/],
    [7, /no opening hours/],
    ['\u0000', /no opening hours/],
  ])('rejects %j', async (hours, message) => {
    const { status, body } = await writeHours(hours);
    expect([status, body.errors?.opening_hours?.[0]]).toEqual([422, expect.stringMatching(message)]);
  });

  test('is audited in the form in which it is returned', async () => {
    await writeHours(null);
    await writeHours(text);
    const { body } = await app.call<{ data: { changes: { field: string; after: Hours | null }[] }[] }>(
      world.admin,
      'GET',
      `audit?filter[entity]=locations&filter[record_id]=${id}&sort=-id&per_page=1`,
    );
    expect(body.data[0]?.changes).toEqual([{ field: 'opening_hours', before: null, after: structure }]);
  });
});

test('filters, sorting, exports and imports use the text', async () => {
  await writeHours(text);
  const listIds = async (query: string) =>
    (await app.call<{ data: { id: number }[] }>(world.admin, 'GET', `locations?per_page=100&${query}`)).body.data.map(
      (row) => row.id,
    );
  expect(await listIds('filter[opening_hours]=22:00')).toContain(id);
  expect(await listIds('filter[opening_hours]=null')).not.toContain(id);
  expect((await listIds('sort=opening_hours')).length).toBeGreaterThan(1);
  const file = await app.call(
    world.admin,
    'GET',
    `locations/export?format=csv&columns=id,opening_hours&filter[id]=${id}&raw=1`,
  );
  expect(file.text).toContain(text);
  const { data } = await importFile(app, world.admin, 'locations', file.bytes);
  expect(data.counts).toMatchObject({ unchanged: 1, update: 0, error: 0 });
  const secondImport = await importFile(app, world.admin, 'locations', `id,opening_hours\n${id},Mo-Su 6-22\n`, {
    commits: true,
  });
  expect(secondImport.data.counts.update).toBe(1);
  expect(await listIds('filter[opening_hours.is]=Mo-Su%2006:00-22:00')).toEqual([id]);
});

describe('open spans', () => {
  test('follow weekdays, public holidays and exceptions, in local time', async () => {
    await writeHours(text);
    const { country, days } = await readOpening('from=2026-12-23&to=2026-12-26');
    expect([country, days]).toEqual([
      'DE',
      [
        {
          day: '2026-12-23',
          holiday: null,
          spans: [{ from: '2026-12-23T05:00:00.000Z', to: '2026-12-23T21:00:00.000Z' }],
        },
        {
          day: '2026-12-24',
          holiday: null,
          spans: [{ from: '2026-12-24T07:00:00.000Z', to: '2026-12-24T11:00:00.000Z' }],
        },
        { day: '2026-12-25', holiday: 'Christmas Day', spans: [] },
        { day: '2026-12-26', holiday: 'Boxing Day', spans: [] },
      ],
    ]);
  });

  test('state whether the location is open now', async () => {
    await writeHours('24/7');
    expect(await readOpening('')).toMatchObject({ open: true, changes_at: null });
    await writeHours('Mo-Su off');
    expect(await readOpening('')).toMatchObject({ open: false, changes_at: null });
    await writeHours('by arrangement');
    const unknownHours = await readOpening('');
    expect([unknownHours.open, unknownHours.days.length, unknownHours.days[0]?.spans]).toEqual([null, 7, null]);
  });

  test.each([
    'from=2026-01-02&to=2026-01-01',
    'from=2026-01-01&to=2027-01-01',
  ])('are not served for %s', async (query) => {
    expect((await app.call(world.admin, 'GET', `locations/${id}/opening?${query}`)).status).toBe(422);
  });

  test.each(['from=9999-12-31', 'from=0001-01-01'])('are returned for %s', async (query) => {
    expect((await app.call(world.admin, 'GET', `locations/${id}/opening?${query}&to=${query.slice(5)}`)).status).toBe(
      200,
    );
  });
});

describe('regional holidays', () => {
  const setRegion = (holiday_region: string | null) =>
    app.call<ResponseBody>(world.admin, 'PATCH', `locations/${id}`, { holiday_region });
  const readHoliday = async (day: string) => {
    const { country, region, days } = await readOpening(`from=${day}&to=${day}`);
    return [country, region, days[0]?.holiday];
  };

  test.each([
    [null, '2026-06-04', ['DE', null, null]],
    ['DE-BY', '2026-06-04', ['DE', 'DE-BY', 'Corpus Christi']],
    ['DE-BY', '2026-08-08', ['DE', 'DE-BY', null]],
    ['DE-BY-A', '2026-08-08', ['DE', 'DE-BY-A', 'Augsburg Peace Festival']],
    ['DE-BY-A', '2026-12-25', ['DE', 'DE-BY-A', 'Christmas Day']],
    // A region of another country is ignored.
    ['SE-I', '2026-06-04', ['DE', null, null]],
    ['FR-57', '2026-12-25', ['DE', null, 'Christmas Day']],
  ])('in region %s on %s are %j', async (region, day, expected) => {
    // We know no region of Sweden, so the row is changed directly.
    if (region === 'SE-I') await app.db.rows(sql`update locations set holiday_region = ${region} where id = ${id}`);
    else expect((await setRegion(region)).status).toBe(200);
    expect(await readHoliday(day)).toEqual(expected);
  });

  test('are part of the calendar', async () => {
    await setRegion('DE-BY');
    const { body } = await app.call<{ data: { id: number; days: { holiday: string | null }[] }[] }>(
      world.admin,
      'GET',
      'locations/calendar?from=2026-06-03&to=2026-06-04&per_page=100',
    );
    const row = body.data.find((row) => row.id === id);
    expect(row?.days.map(({ holiday }) => holiday)).toEqual([null, 'Corpus Christi']);
  });

  test.each([
    'DE-XX',
    'DE-BY-XX',
    'XX-BY',
    'DE',
    'DE-',
    'de-by',
    'Bayern',
    'DE-BY-A-A',
    'DE-constructor',
  ])('reject %s', async (region) => {
    const { status, body } = await setRegion(region);
    expect([status, body.errors?.holiday_region]).toEqual([
      422,
      ['Region of public holidays must be a known region such as DE-BY.'],
    ]);
  });

  test('are exported and imported', async () => {
    await setRegion('DE-BY-A');
    const file = await app.call(
      world.admin,
      'GET',
      `locations/export?format=csv&columns=id,holiday_region&filter[id]=${id}&raw=1`,
    );
    expect(file.text).toContain('DE-BY-A');
    const importRegion = (region: string) =>
      importFile(app, world.admin, 'locations', `id,holiday_region\n${id},${region}\n`, { commits: true });
    expect((await importRegion('DE-NOWHERE')).data.counts).toMatchObject({ update: 0, error: 1 });
    expect((await importRegion('DE-SN')).data.counts).toMatchObject({ update: 1, error: 0 });
    expect((await readHoliday('2026-11-18')).at(-1)).toBe('Day of Prayer and Repentance');
  });

  test('can be chosen from the regions of a country, or of the country of a fleet in scope', async () => {
    const readRegions = async (query: string, user = world.users.site_manager) =>
      app.call<{ data: { code: string; name: string }[]; errors?: Record<string, string[]> }>(
        user,
        'GET',
        `locations/holiday_regions?${query}`,
      );
    const { country, fleets } = world.north;
    const germanRegions = (await readRegions(`holiday_country_id=${country}`)).body.data;
    expect(germanRegions).toContainEqual({ code: 'DE-BY', name: 'Bayern' });
    expect(germanRegions).toContainEqual({ code: 'DE-BY-A', name: 'Bayern – Stadt Augsburg' });
    expect((await readRegions(`fleet_id=${fleets[0]}`)).body.data).toEqual(germanRegions);
    expect((await readRegions('')).body.data).toEqual([]);
    const foreignRegions = await readRegions(`fleet_id=${world.south.fleets[0]}`);
    expect([foreignRegions.status, Object.keys(foreignRegions.body.errors ?? {})]).toEqual([422, ['fleet_id']]);
  });
});

test('texts in the former format are parsed at start-up; a text that cannot be parsed is kept as a note', async () => {
  const storeText = async (text: string) => {
    await app.db.rows(sql`update locations set opening_hours = to_jsonb(${text}::text) where id = ${id}`);
    await convertTextHours(app.db);
    const row = await app.db.selectOne(
      { hours: pg.json<Hours>() },
      sql`select opening_hours as hours from locations where id = ${id}`,
    );
    return [row?.hours.text, row?.hours.note];
  };
  expect(await storeText('Mo-Fr 06:00-22:00, Sa 08:00-14:00')).toEqual(['Mo-Fr 06:00-22:00; Sa 08:00-14:00', null]);
  const french = 'du lundi au vendredi de 8h30 à 12h';
  expect(await storeText(french)).toEqual([`Mo-Fr 08:30-12:00; "${french}"`, french]);
  expect(await storeText('ring "twice"')).toEqual(['"ring ""twice"""', 'ring "twice"']);
});
