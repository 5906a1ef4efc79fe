/** A search for any of many words reads every row once, regardless of the share of rows in scope. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleNames } from '../../schema/dsl/entity';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

const words = Array.from({ length: 100 }, (_, index) => `zz${index}zq`);

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`
    insert into machines (serial_number, fleet_id, type_id, note)
    select 'W' || n, ${world.north.fleets[0]}::int, ${world.type}::int, repeat('cleaned the floor ', 5) || n
    from generate_series(1, 1500) n`);
});
afterAll(() => app.close());

test.each(['machines', 'machines/map', 'machines/facets'])('reads every row once: %s', async (path) => {
  const measureSearch = async (role: (typeof roleNames)[number]) => {
    const start = performance.now();
    const { status } = await app.call(world.users[role], 'GET', `${path}?filter[search]=${words.join()}`);
    expect(status).toBe(200);
    return performance.now() - start;
  };
  const adminDuration = await measureSearch('admin');
  // Evaluating the words separately for each of the 1,500 rows would take 300 to 500 times as long.
  for (const role of roleNames) expect(await measureSearch(role), role).toBeLessThan(50 * Math.max(adminDuration, 20));
});

test('finds rows by the last of many words', async () => {
  const response = await app.call<{ data: { serial_number: string }[] }>(
    world.users.partner,
    'GET',
    `machines?filter[search]=${words.slice(1).join()},W1234`,
  );
  expect(response.body.data.map(({ serial_number }) => serial_number)).toEqual(['W1234']);
});
