/** Instants in requests: the database can store every instant that the API accepts. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isInstant } from '../../schema/dsl/isDay';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app?.close());

const invalidInstants = [
  '2026-02-30T10:00:00Z',
  '2025-02-29T10:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '2026-01-01T10:00:00+16:00',
  '2026-01-01T25:00:00Z',
];

test.each(invalidInstants)('%s is rejected, in a field and within a list', async (text) => {
  const { id } = (await app.call<{ data: { id: number }[] }>(world.admin, 'GET', 'machines?per_page=1')).body
    .data[0] as { id: number };
  const run = { machine_id: id, started_at: '2026-11-01T08:00:00Z', ended_at: '2026-11-01T10:00:00Z' };
  const requestStatus = async (values: object) =>
    (await app.call(world.admin, 'POST', 'runs', { ...run, ...values })).status;
  expect(await requestStatus({})).toBe(201);
  expect(await requestStatus({ started_at: text })).toBe(422);
  expect(await requestStatus({ interruptions: [{ at: text }] })).toBe(422);
  const filterResponse = await app.call(world.admin, 'GET', `runs?filter[started_at]=>=${encodeURIComponent(text)}`);
  expect(filterResponse.body).toMatchObject({ data: [] });
});

test('PostgreSQL reads every instant that is accepted', async () => {
  const digits = (width: number, max: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(width, '0'));
  const day = fc.tuple(digits(4, 9999), digits(2, 13), digits(2, 32)).map((parts) => parts.join('-'));
  const zone = fc.oneof(
    fc.constantFrom('', 'Z'),
    fc
      .tuple(fc.constantFrom('+', '-'), digits(2, 24), digits(2, 60))
      .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );
  const seconds = fc.oneof(
    fc.constant(''),
    digits(2, 60).map((text) => `:${text}`),
    fc.tuple(digits(2, 60), fc.stringMatching(/^\d{1,12}$/)).map((parts) => `:${parts.join('.')}`),
  );
  const texts = fc
    .tuple(day, digits(2, 25), digits(2, 60), seconds, zone)
    .map(([date, hours, minutes, seconds, zone]) => `${date}T${hours}:${minutes}${seconds}${zone}`);
  const acceptedTexts = fc.sample(texts, 20_000).filter(isInstant);
  expect(acceptedTexts.length).toBeGreaterThan(500);
  await app.db.rows(sql`select unnest(${sql.param(acceptedTexts)}::text[])::timestamptz`);
});
