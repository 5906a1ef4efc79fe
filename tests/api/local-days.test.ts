/**
 * Local days of every time zone from 2021 to 2027, on the days with a clock change and the days around them, compared
 * with `Intl`.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayStartSql } from '../../server/db/core/dayStartSql';
import { pg } from '../../server/db/core/rowShape';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { clockOf, dayOf, dayStart, timeZones, zoneChanges } from '../support/timeZones';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const hour = 3_600_000;

test('a day begins when the local clock first shows it, in every zone, including days with a clock change', async () => {
  const days = timeZones.flatMap((zone) => {
    const changeDays = zoneChanges(zone).flatMap((change) =>
      [-24, 0, 24].map((hours) => dayOf(clockOf(zone)(change) + hours * hour)),
    );
    return [...new Set([...changeDays, '2026-03-29', '2026-10-25', '2026-11-01'])].map((day) => ({ zone, day }));
  });
  const rows = await app.db.select(
    { zone: pg.text, day: pg.text, start: pg.double, clocks: pg.double.array },
    sql`
    select g.zone, g.day::text as day, extract(epoch from ${dayStartSql(sql`g.day`, sql`g.zone`)})::float8 * 1000 as start,
      array(select extract(epoch from (g.day + hours * interval '1 hour') at time zone 'UTC' at time zone g.zone)::float8 * 1000
        from generate_series(-27, 27, 3) as hours) as clocks
    from unnest(${sql.param(days.map(({ zone }) => zone))}::text[], ${sql.param(days.map(({ day }) => day))}::date[]) as g(zone, day)`,
  );
  expect(rows.length).toBe(days.length);
  const differingRows = rows.filter(({ zone, day, start }) => dayStart(zone, day) !== start);
  // Excludes days for which the two time zone databases have different rules.
  const isComparable = ({ zone, day, clocks }: (typeof rows)[number]) =>
    clocks.every((time, index) => clockOf(zone)(Date.parse(day) + (index * 3 - 27) * hour) === time);
  expect(differingRows.filter(isComparable)).toEqual([]);
  expect(differingRows.length).toBeLessThan(rows.length * 0.03);
  const lengths = await app.db.select(
    { hours: pg.double },
    sql`
    select extract(epoch from ${dayStartSql(sql`(day + 1)`, sql`zone`)} - ${dayStartSql(sql`day`, sql`zone`)})::float8 / 3600 as hours
    from (values (1, 'Atlantic/Azores', date '2026-10-24'), (2, 'Atlantic/Azores', '2026-10-25'),
      (3, 'America/Havana', '2026-10-31'), (4, 'America/Havana', '2026-11-01')) as d(n, zone, day) order by n`,
  );
  expect(lengths.map(({ hours }) => hours)).toEqual([24, 25, 24, 25]);
});
