/** Hooks of alerts: summary, and actions of people. */
import { type SQL, sql } from 'drizzle-orm';
import type { Registry } from '../../../schema';
import type { Row } from '../../../schema/dsl/entity';
import type { AlertNote } from '../../../schema/endpoints/alerts';
import type { Caller } from '../../context/caller';
import type { EntityHooks, Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { acknowledgeAlert, closeAlert, personName, writeAlertNote } from './answerAlert';
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
      const at = services.now();
      await transaction((tx, caller) => acknowledgeAlert(tx, { entity, caller, id, text, at }));
      return done(reader, id);
    },
  );

  serve(
    app,
    'POST /alerts/{id}/comments',
    async ({ params: { id }, body: { comment: text }, transaction }, { caller: reader }) => {
      await transaction(async (tx, caller) =>
        writeAlertNote(tx, { id, caller, name: await personName(tx, caller), kind: 'comment', text }),
      );
      return done(reader, id);
    },
  );

  serve(
    app,
    'POST /alerts/{id}/close',
    async ({ params: { id }, body: { comment: text = null }, transaction }, { caller: reader }) => {
      const at = services.now();
      await transaction((tx, caller) => closeAlert(tx, { entity, caller, id, text, at }));
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
