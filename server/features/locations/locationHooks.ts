/** Hooks of locations. Machines at a location follow it to another fleet. */
import { sql } from 'drizzle-orm';
import { visibleIds } from '../../access/scopeWhere';
import { ApiError } from '../../context/errors';
import type { EntityHooks, ModelEntity, Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { type AuditActor, writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { recountDays } from '../../telemetry/timeline/recountDays';
import { isHolidayRegion } from './holidays';
import { openingRoutes } from './openingRoutes';
import { siteCalendarRoutes } from './siteCalendarRoutes';

const routes: Routes = async (app) => {
  const { db, live, model } = app.services;
  const [entity, fleets] = [model.require('locations'), model.require('fleets')];
  await app.register(siteCalendarRoutes);
  await app.register(openingRoutes);

  serve(app, 'POST /locations/{id}/move', async ({ params: { id }, body: { fleet_id }, transaction }, { caller }) => {
    if ((await visibleIds(db, fleets, caller, [fleet_id])).length === 0)
      throw ApiError.invalidAt('fleet_id', { key: 'exists' }, 'locations');
    const movedIds = await transaction(async (tx, actor) => {
      const stored = await tx.selectOne(
        { fleet_id: pg.integer },
        sql`select fleet_id from locations where id = ${id} for update`,
      );
      await tx.rows(
        sql`update locations set fleet_id = ${fleet_id}, version = version + 1, updated_at = now()
          where id = ${id} and fleet_id <> ${fleet_id}`,
      );
      await writeAuditEntries(tx, { entity, by: actor, action: 'edit' }, [{ id, before: stored, after: { fleet_id } }]);
      return moveMachines(tx, model.require('machines'), { location: id, by: actor });
    });
    await live.publish([
      { entity: 'locations', id, type: 'updated', payload: { fleet_id } },
      ...movedIds.map((machine) => ({
        entity: 'machines',
        id: machine,
        type: 'updated' as const,
        payload: { fleet_id },
      })),
    ]);
    return new JsonText(`{"data":${(await readRow(db, entity, caller, { id })).data}}`);
  });
};

export const locationHooks: EntityHooks = {
  before: async ({ tx, values, fail }) => {
    if (typeof values.holiday_region === 'string' && !(await isHolidayRegion(values.holiday_region)))
      fail('holiday_region', { key: 'holiday_region' });
    if (typeof values.time_zone !== 'string') return;
    // PostgreSQL computes local days, so it must know the zone too.
    const zone = await tx.one(sql`select 1 from pg_timezone_names where lower(name) = lower(${values.time_zone})`);
    if (!zone) fail('time_zone', { key: 'time_zone' });
  },
  afterEdit: async (changes) => {
    for (const { tx, caller, services, id, values, current } of changes) {
      if (values.fleet_id !== undefined && values.fleet_id !== current.fleet_id)
        await moveMachines(tx, services.model.require('machines'), { location: id, by: caller });
      const zone = current.time_zone as string;
      if (values.time_zone !== undefined && values.time_zone !== zone)
        await recountDays(
          tx,
          (await readMachineIds(tx, id)).map((machine) => ({ id: machine, zone })),
        );
    }
  },
  afterCommit: async ({ services: { db, live, log }, id, action, values }) => {
    if (action !== 'edit' || values.fleet_id === undefined) return;
    const machineIds = await readMachineIds(db, id);
    const events = machineIds.map((machine) => ({
      entity: 'machines',
      id: machine,
      type: 'updated' as const,
      payload: { fleet_id: values.fleet_id },
    }));
    // Not awaited, so that they share a batch with the event of the location itself.
    void live.publish(events).catch((err: unknown) => log.warn({ err }, 'publishing events of moved machines failed'));
  },
  routes,
};

async function readMachineIds(db: Queries, location: number): Promise<number[]> {
  return (await db.select({ id: pg.integer }, sql`select id from machines where location_id = ${location}`)).map(
    ({ id }) => id,
  );
}

/** Moves the machines of a location to its fleet; their history stays. Returns the ids of the moved machines. */
async function moveMachines(
  tx: Queries,
  entity: ModelEntity,
  { location, by: actor }: { location: number; by: AuditActor },
): Promise<number[]> {
  const rows = await tx.select(
    { id: pg.integer, previous_fleet_id: pg.integer, fleet_id: pg.integer },
    sql`
    update machines m set fleet_id = l.fleet_id, version = m.version + 1, updated_at = now()
    from locations l, machines old
    where l.id = ${location} and m.location_id = l.id and m.fleet_id <> l.fleet_id and old.id = m.id
    returning m.id, old.fleet_id as previous_fleet_id, m.fleet_id`,
  );
  const entries = rows.map(({ id, previous_fleet_id, fleet_id }) => ({
    id,
    before: { fleet_id: previous_fleet_id },
    after: { fleet_id },
  }));
  await writeAuditEntries(tx, { entity, by: actor, action: 'edit' }, entries);
  return rows.map(({ id }) => id);
}
