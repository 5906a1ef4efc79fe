/** Hooks of trackers: their secrets, and their assignment to machines. */
import { type SQL, sql } from 'drizzle-orm';
import { visibleIds } from '../../access/scopeWhere';
import { randomToken, sha256 } from '../../auth/secrets';
import { ApiError } from '../../context/errors';
import type { EntityHooks, ModelEntity, Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { UniqueViolation } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve, type WriteTransaction } from '../../endpoints/serve';
import { previewTrackerRules, replayTracker } from './keyRules';

const routes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const [entity, machines] = [model.require('trackers'), model.require('machines')];

  serve(app, 'POST /trackers/{id}/secret', async ({ params: { id }, transaction }, _request, reply) => {
    const secret = `swt_${randomToken()}`;
    await transaction(async (tx, caller) => {
      await tx.rows(sql`
        insert into tracker_secrets (tracker_id, hash, created_at)
        values (${id}, ${sha256(secret)}, ${services.now().toISOString()}::timestamptz)
        on conflict (tracker_id) do update set hash = excluded.hash, created_at = excluded.created_at`);
      await writeAuditEntries(tx, { entity, by: caller, action: 'secret' }, [{ id }]);
    });
    reply.header('Cache-Control', 'no-store');
    return { data: { secret } };
  });

  serve(app, 'POST /trackers/{id}/preview', async ({ params: { id }, body: { key_rules } }) => ({
    data: await previewTrackerRules(services, id, key_rules ?? []),
  }));

  serve(app, 'POST /trackers/{id}/replay', async ({ params: { id }, transaction }) => {
    const { events, ...counts } = await transaction((tx) => replayTracker(tx, services, id));
    await live.publish(events);
    return { data: counts };
  });

  serve(
    app,
    'POST /trackers/{id}/assign',
    async ({ params: { id }, body: { machine_id }, transaction }, { caller }) => {
      if (machine_id === undefined) throw ApiError.invalidAt('machine_id', { key: 'choose' }, 'documents');
      if (machine_id !== null && (await visibleIds(db, machines, caller, [machine_id])).length === 0)
        throw ApiError.invalidAt('machine_id', { key: 'exists' }, 'documents');
      const changedMachines = await assignTracker(machines, transaction, { tracker: id, machine: machine_id });
      await live.publish([
        { entity: 'trackers', id, type: 'updated', payload: { assigned: machine_id !== null } },
        ...changedMachines.flatMap(({ previous_tracker_id: previous }) =>
          previous === null || previous === id
            ? []
            : [{ entity: 'trackers', id: previous, type: 'updated' as const, payload: { assigned: false } }],
        ),
        ...changedMachines.map((machine) => ({
          entity: 'machines',
          id: machine.id,
          type: 'updated' as const,
          payload: { tracker_id: machine.tracker_id },
        })),
      ]);
      return new JsonText(`{"data":${(await readRow(db, entity, caller, { id })).data}}`);
    },
  );
};

const trackerValueSql =
  (column: 'messages' | 'last_payload' | 'latitude' | 'longitude') =>
  ({ row }: { row: SQL }) =>
    sql`(
      select discovered.${sql.identifier(column)} from discovered_trackers discovered
      where discovered.tracker_id = ${row}.id)`;

const factsheetColumns = [
  'factsheet_version',
  'vehicle_type',
  'vehicle_length',
  'vehicle_width',
  'vehicle_height',
] as const;
const factsheetSql =
  (column: (typeof factsheetColumns)[number]) =>
  ({ row }: { row: SQL }) =>
    sql`(select sheet.${sql.identifier(column)} from tracker_factsheets sheet where sheet.tracker_id = ${row}.id)`;

export const trackerHooks: EntityHooks = {
  derived: {
    ...Object.fromEntries(factsheetColumns.map((column) => [column, factsheetSql(column)])),
    messages: trackerValueSql('messages'),
    last_payload: trackerValueSql('last_payload'),
    latitude: trackerValueSql('latitude'),
    longitude: trackerValueSql('longitude'),
    assigned: ({ row }) =>
      sql`exists (select 1 from machines holder where holder.tracker_id = ${row}.id and holder.deleted_at is null)`,
  },
  purgedWith: { tables: ['tracker_secrets', 'discovered_trackers', 'tracker_factsheets'], column: 'tracker_id' },
  routes,
};

/**
 * Assigns a tracker to a machine, or to none, and returns the changed machines. Throws 409 if another machine has it.
 */
async function assignTracker(
  machines: ModelEntity,
  transaction: WriteTransaction,
  { tracker, machine }: { tracker: number; machine: number | null },
) {
  try {
    return await transaction(async (tx, actor) => {
      await tx.rows(sql`select id from trackers where id = ${tracker} for update`);
      const holder = await tx.selectOne(
        { id: pg.integer },
        sql`select id from machines where tracker_id = ${tracker} and deleted_at is null`,
      );
      if (machine !== null && holder && holder.id !== machine) throw ApiError.conflict('tracker_taken');
      // The machine may have been deleted since the caller saw it.
      if (
        machine !== null &&
        !(await tx.one(sql`select 1 from machines where id = ${machine} and deleted_at is null for update`))
      )
        throw ApiError.invalidAt('machine_id', { key: 'exists' }, 'documents');
      const changedWhere =
        machine === null
          ? sql`m.tracker_id = ${tracker} and m.deleted_at is null`
          : sql`m.id = ${machine} and m.tracker_id is distinct from ${tracker}`;
      const changedMachines = await tx.select(
        { id: pg.integer, tracker_id: pg.integer.nullable, previous_tracker_id: pg.integer.nullable },
        sql`
        update machines m set tracker_id = ${machine === null ? null : tracker}::int, version = m.version + 1,
        updated_at = now() from machines old
        where ${changedWhere} and old.id = m.id returning m.id, m.tracker_id, old.tracker_id as previous_tracker_id`,
      );
      const entries = changedMachines.map(({ id, previous_tracker_id, tracker_id }) => ({
        id,
        before: { tracker_id: previous_tracker_id },
        after: { tracker_id },
      }));
      await writeAuditEntries(tx, { entity: machines, by: actor, action: 'edit' }, entries);
      return changedMachines;
    });
  } catch (error) {
    if (error instanceof UniqueViolation) throw ApiError.conflict('tracker_taken');
    throw error;
  }
}
