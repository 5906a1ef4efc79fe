/** Hooks of alerts: summary, and actions of people. */
import { type SQL, sql } from 'drizzle-orm';
import type { Registry } from '../../../schema';
import type { Row } from '../../../schema/dsl/entity';
import type { AlertNote } from '../../../schema/endpoints/alerts';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityHooks, Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { enqueueAlertMessages } from './messages';
import { summarySql } from './summaryText';

const noteShape = {
  id: pg.integer,
  kind: pg.text.as<AlertNote['kind']>(),
  name: pg.text,
  text: pg.text.nullable,
  at: pg.timestamptz,
};

const routes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const entity = model.require('alerts');

  const done = async (caller: Caller, id: number): Promise<JsonText<{ data: Row<Registry['alerts']> }>> => {
    await live.publish([{ entity: entity.name, id, type: 'updated' }]);
    return new JsonText(`{"data":${(await readRow(db, entity, caller, { id })).data}}`);
  };

  serve(
    app,
    'POST /alerts/{id}/acknowledge',
    async ({ params: { id }, body: { comment: text = null }, transaction }, { caller: reader }) => {
      await transaction(async (tx, caller) => {
        const alert = await locked(tx, id);
        if (alert.state === 'closed') throw ApiError.conflict('alert_closed');
        const name = await nameOf(tx, caller);
        if (alert.state === 'open') {
          await tx.rows(sql`
          update alerts set state = 'acknowledged', acknowledged_at = ${services.now().toISOString()}::timestamptz,
          acknowledged_by = ${name}, next_reminder = null
          where id = ${id}`);
          await write(tx, { id, caller, name, kind: 'acknowledged', text });
          await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, [
            { id, before: { state: 'open' }, after: { state: 'acknowledged' } },
          ]);
        } else if (text) await write(tx, { id, caller, name, kind: 'comment', text });
      });
      return done(reader, id);
    },
  );

  serve(
    app,
    'POST /alerts/{id}/comments',
    async ({ params: { id }, body: { comment: text }, transaction }, { caller: reader }) => {
      await transaction(async (tx, caller) =>
        write(tx, { id, caller, name: await nameOf(tx, caller), kind: 'comment', text }),
      );
      return done(reader, id);
    },
  );

  serve(
    app,
    'POST /alerts/{id}/close',
    async ({ params: { id }, body: { comment: text = null }, transaction }, { caller: reader }) => {
      await transaction(async (tx, caller) => {
        const alert = await locked(tx, id);
        if (alert.state === 'closed') throw ApiError.conflict('alert_closed');
        const name = await nameOf(tx, caller);
        const at = services.now();
        await tx.rows(sql`
        update alerts set state = 'closed', closed_at = ${at.toISOString()}::timestamptz, closed_by = ${name},
        next_reminder = null where id = ${id}`);
        await write(tx, { id, caller, name, kind: 'closed', text });
        await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, [
          { id, before: { state: alert.state }, after: { state: 'closed' } },
        ]);
        if (alert.tell_closed) await enqueueAlertMessages(tx, { fired: [], reminder: [], closed: [id] }, at);
      });
      return done(reader, id);
    },
  );

  serve(app, 'GET /alerts/{id}/notes', async ({ params: { id } }) => ({
    data: await db.select(
      noteShape,
      sql`select id, kind, name, text, at from alert_notes where alert_id = ${id} order by id`,
    ),
  }));
};

export const alertHooks: EntityHooks = {
  derived: {
    summary: ({ entity, row, caller }) => summarySql(entity.model, row, caller),
    problem: ({ row }) => sql`(case when ${row}.metric = 'reported' then ${row}.code end)`,
    report: ({ row }) => reported(row, 'text'),
    reported_by: ({ row }) => reported(row, 'name'),
  },
  routes,
};

/** The reporter of a problem is the author of its first note. */
const reported = (row: SQL, column: 'name' | 'text') =>
  sql`(select first_note.${sql.raw(column)} from alert_notes first_note where first_note.alert_id = ${row}.id
    and first_note.kind = 'reported')`;

/** Locks the alert, so that the second of two concurrent actions sees the first. */
async function locked(tx: Queries, id: number): Promise<{ state: string; tell_closed: boolean }> {
  const alert = await tx.selectOne(
    { state: pg.text, tell_closed: pg.boolean },
    sql`
    select a.state, coalesce(r.tell_closed and r.is_active and r.deleted_at is null, false) as tell_closed from alerts a
    left join alert_rules r on r.id = a.rule_id
    where a.id = ${id} and a.deleted_at is null for update of a`,
  );
  if (!alert) throw ApiError.notFound();
  return alert;
}

async function nameOf(tx: Queries, { userId }: Caller): Promise<string> {
  const user = await tx.selectOne(
    { name: pg.text },
    sql`select left(concat_ws(' ', first_name, last_name), 130) as name from users where id = ${userId}`,
  );
  return user?.name ?? '';
}

interface NewNote {
  id: number;
  caller: Caller;
  name: string;
  kind: 'acknowledged' | 'closed' | 'comment';
  text: string | null;
}

const write = (tx: Queries, { id, caller, name, kind, text }: NewNote) =>
  tx.rows(
    sql`insert into alert_notes (alert_id, user_id, name, kind, text)
      values (${id}, ${caller.userId}, ${name}, ${kind}, ${text})`,
  );
