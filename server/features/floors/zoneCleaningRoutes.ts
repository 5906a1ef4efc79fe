/** `GET /floors/{id}/zone-cleanings`: when each zone was last cleaned, and when it is due. */
import { sql } from 'drizzle-orm';
import { localDay, shiftDay } from '../../../schema/shared/openSpans';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { createCoverageComputation } from './computeCoverage';
import { readFloor } from './floorRows';
import { readZoneCleanings } from './readZoneCleanings';

/** Days to search for the last cleaning: twice the longest interval of the zones, within these bounds. */
const searchDays = { min: 35, max: 400 } as const;
const dayLength = 86_400_000;

export const zoneCleaningRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;
  const computeCoverage = createCoverageComputation(db);

  serve(app, 'GET /floors/{id}/zone-cleanings', async ({ params: { id } }, { caller }) => {
    const floor = await readFloor(db, id);
    const location = await db.selectOne(
      { time_zone: pg.text },
      sql`select l.time_zone from floors f join locations l on l.id = f.location_id where f.id = ${id}`,
    );
    if (!floor || !location) throw ApiError.notFound();
    const zones = floor.zones.filter(({ kind }) => kind === 'clean');
    const longestInterval = Math.max(...zones.map(({ every_days }) => every_days ?? 0), 0);
    const days = Math.min(Math.max(2 * longestInterval, searchDays.min), searchDays.max);
    const now = services.now().getTime();
    const since = new Date(now - days * dayLength);
    const cleanings = await readZoneCleanings(services, computeCoverage, {
      caller,
      floor,
      timeZone: location.time_zone,
      since,
    });
    const today = localDay(now, location.time_zone);
    const data = zones.map((zone) => {
      const cleanedAt = cleanings.get(zone.id) ?? null;
      // A zone without a cleaning in the searched days counts from the start of the search, or from its creation if
      // later.
      const start = cleanedAt ?? new Date(Math.max(zone.created_at.getTime(), since.getTime()));
      const dueOn =
        zone.every_days === null ? null : shiftDay(localDay(start.getTime(), location.time_zone), zone.every_days);
      const daysOverdue = dueOn === null ? 0 : Math.round((Date.parse(today) - Date.parse(dueOn)) / dayLength);
      return { zone_id: zone.id, cleaned_at: cleanedAt, due_on: dueOn, days_overdue: Math.max(0, daysOverdue) };
    });
    return { data };
  });
};
