/** Hooks of machines: figures from telemetry, and rules for location, fleet and service. */
import { sql } from 'drizzle-orm';
import type { EntityHooks, Routes, RowEdit, WriteContext } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { sweepSoon } from '../../telemetry/offline/markOffline';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { lockMachines } from '../../telemetry/timeline/lockMachines';
import { readerZoneSql, reasonSql } from '../../telemetry/timeline/reasons';
import { recountDays } from '../../telemetry/timeline/recountDays';
import { firstDueSql, refreshDue } from '../service/refreshDue';
import { hasDerivedFigures } from '../service/refreshService';
import { batteryRoutes } from './batteryRoutes';
import { bookCentsOfManySql, bookValueRoutes, bookValueSql } from './bookValue';
import { fleetTimelineRoutes } from './fleetTimelineRoutes';
import { logRoutes } from './logRoutes';
import { mapRoutes } from './mapRoutes';
import { problemRoutes } from './problemRoutes';
import { publicReportRoutes } from './publicReportRoutes';
import { qrRoutes } from './qrRoutes';
import { serviceRoutes } from './serviceRoutes';
import { statisticsRoutes } from './statisticsRoutes';
import { staysRoutes } from './staysRoutes';
import { timelineRoutes } from './timelineRoutes';

const routes: Routes = async (app) => {
  for (const topicRoutes of [
    mapRoutes,
    fleetTimelineRoutes,
    logRoutes,
    timelineRoutes,
    statisticsRoutes,
    batteryRoutes,
    bookValueRoutes,
    serviceRoutes,
    staysRoutes,
    problemRoutes,
    publicReportRoutes,
    qrRoutes,
  ])
    await app.register(topicRoutes);
};

const today = sql`(now() at time zone 'UTC')::date`;

export const machineHooks: EntityHooks = {
  derived: {
    status_reason: ({ row, caller }) => sql`(select
      ${reasonSql(caller.language, {
        reason: sql`open_segment.reason`,
        at: sql`open_segment.reason_at`,
        from: sql`open_segment.from_at`,
        zone: readerZoneSql(caller, sql`site`),
      })}
      from (select ${row}.id as machine_id, ${row}.location_id as location_id) machine
      left join segments open_segment on open_segment.machine_id = machine.machine_id and open_segment.to_at is null
      left join locations site on site.id = machine.location_id)`,
    book_value: ({ row }) => bookValueSql(row, today),
    overall_cleaning_time: ({ row, state }) => sql`(${row}.previous_cleaning_time + ${state}.cleaning_time)`,
    overall_charging_time: ({ row, state }) => sql`(${row}.previous_charging_time + ${state}.charging_time)`,
  },
  order: { book_value: ({ row }) => bookCentsOfManySql(row, today) },
  // Otherwise messages of the device would wait for an edit, since they check foreign keys to the machine.
  isReferableWhileEdited: true,
  lockBeforeTrash: lockMachines,
  before: async (context) => {
    await rejectUsedTracker(context);
    await matchLocationToFleet(context);
    await rejectDerivedFigures(context);
  },
  onInsert: { next_service_due: firstDueSql },
  afterEdit: async (changes) => {
    const [{ tx, services, values }] = changes as readonly [RowEdit];
    const ids = changes.map(({ id }) => id);
    if (values.location_id !== undefined) await recountInNewZone(tx, changes);
    if (values.total_maintenance_cost !== undefined)
      await tx.rows(
        sql`update service_by_hand set total_maintenance_cost = ${values.total_maintenance_cost as string | null}
          where machine_id = any(${sql.param(ids)}::int[])`,
      );
    if (dueDateFields.some((field) => values[field] !== undefined)) await refreshDue(tx, ids, services.now());
  },
  afterCommit: async ({ services, action, values }) => {
    if (action === 'edit' && (values.offline_after !== undefined || values.type_id !== undefined)) sweepSoon(services);
  },
  purgedWith: {
    tables: [
      'observations',
      'segments',
      'machine_days',
      'past_runs',
      'machine_watch',
      'silence_limits',
      'machine_logs',
      'raw_messages',
    ],
    column: 'machine_id',
  },
  routes,
};

/** Reports with `fail` a tracker that another machine has. */
async function rejectUsedTracker({ tx, id, values, fail }: WriteContext): Promise<void> {
  if (typeof values.tracker_id !== 'number') return;
  const holder = await tx.one(
    sql`select 1 from machines where tracker_id = ${values.tracker_id} and id <> ${id} and deleted_at is null`,
  );
  if (holder) fail('tracker_id', { text: 'tracker_taken' });
}

/** Requires a location of the machine's own fleet. A new fleet without a new location clears the location. */
async function matchLocationToFleet({ tx, values, current, fail, cache }: WriteContext): Promise<void> {
  if (values.fleet_id === undefined && values.location_id === undefined) return;
  const fleet = values.fleet_id ?? current?.fleet_id;
  const location = values.location_id === undefined ? current?.location_id : values.location_id;
  if (typeof location !== 'number') return;
  const locationFleet = await readFleetId({ tx, cache }, location);
  if (locationFleet === undefined || locationFleet === fleet) return;
  if (values.location_id === undefined) values.location_id = null;
  else fail('location_id', { text: 'location_of_other_fleet' });
}

/** Fleet of a location. Cached in bulk work, because writing machines never moves a location. */
async function readFleetId({ tx, cache }: Pick<WriteContext, 'tx' | 'cache'>, location: number): Promise<unknown> {
  const key = `fleet of location ${location}`;
  if (cache?.has(key)) return cache.get(key);
  const locationRow = await tx.selectOne(
    { fleet_id: pg.integer },
    sql`select fleet_id from locations where id = ${location}`,
  );
  cache?.set(key, locationRow?.fleet_id);
  return locationRow?.fleet_id;
}

/** Fields of a machine on which its next service depends, in addition to entries and plans. */
const dueDateFields = ['type_id', 'last_service', 'purchase_date', 'previous_operating_time'] as const;

/** Rejects edits of figures that service entries or plans determine. */
async function rejectDerivedFigures({ tx, id, values, current, fail }: WriteContext): Promise<void> {
  const editedFields = (['last_service', 'total_maintenance_cost', 'next_service_due'] as const).filter(
    (field) => values[field] !== undefined,
  );
  if (!current || editedFields.length === 0) return;
  const derivedFigures = await hasDerivedFigures(tx, id);
  for (const field of editedFields)
    if (derivedFigures[field])
      fail(field, { text: field === 'next_service_due' ? 'service_from_plan' : 'service_from_entries' });
}

/** Recounts the daily sums of machines whose location now has another time zone. */
async function recountInNewZone(tx: Queries, changes: readonly RowEdit[]): Promise<void> {
  const previousLocations = JSON.stringify(
    changes.map(({ id, current }) => ({ id, location_id: current.location_id })),
  );
  const movedMachines = await tx.select(
    { id: pg.integer, zone: pg.text },
    sql`
    select m.id, ${timeZoneSql(sql`old_location`)} as zone
    from jsonb_to_recordset(${previousLocations}::text::jsonb) as previous(id int, location_id int)
    join machines m on m.id = previous.id
    left join locations new_location on new_location.id = m.location_id
    left join locations old_location on old_location.id = previous.location_id
    where ${timeZoneSql(sql`new_location`)} <> ${timeZoneSql(sql`old_location`)} order by m.id`,
  );
  await recountDays(tx, movedMachines);
}
