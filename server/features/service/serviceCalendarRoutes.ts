/**
 * Calendar feed of due services, at a secret URL that the user creates and revokes. Shows the machines that the user
 * may see at the time.
 */
import { sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { notDeleted, QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { loadCallerOfUser } from '../../auth/loadCaller';
import { randomToken, sha256 } from '../../auth/secrets';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes, Services } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { apiPrefix } from '../../http/http';
import { formatMessage } from '../../i18n/messages';
import { manualDueSentence, planSentence } from './planSentence';
import { type CalendarEvent, printIcs } from './printIcs';
import { nextByMachine, readPlanForecasts } from './refreshDue';

/** Maximum events of a feed, the earliest ones. */
const maxMachines = 2000;

export const serviceCalendarRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, env } = services;

  serve(app, 'GET /calendar', async (_, { caller }) => {
    const feed = await db.selectOne(
      { created_at: pg.timestamptz },
      sql`select created_at from calendar_feeds where user_id = ${caller.userId}`,
    );
    return { data: { created_at: feed?.created_at ?? null } };
  });

  serve(app, 'POST /calendar', async ({ transaction }) => {
    const token = randomToken();
    await transaction((tx, { userId }) =>
      tx.rows(sql`
        insert into calendar_feeds (user_id, token_hash, created_at) values (${userId}, ${sha256(token)}, now())
        on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`),
    );
    return { data: { url: `${env.publicUrl}${apiPrefix}/calendar/${token}/services.ics` } };
  });

  serve(app, 'DELETE /calendar', async ({ transaction }) => {
    await transaction((tx, { userId }) => tx.rows(sql`delete from calendar_feeds where user_id = ${userId}`));
  });

  serve(app, 'GET /calendar/{token}/services.ics', async ({ params: { token } }, _, reply) => {
    const feed = await db.selectOne(
      { user_id: pg.integer },
      sql`select user_id from calendar_feeds where token_hash = ${sha256(token)}`,
    );
    const caller = feed && (await loadCallerOfUser(db, feed.user_id));
    if (!caller || !hasPermission(caller, 'machines.list')) throw ApiError.notFound();
    const { language } = caller;
    return reply
      .type('text/calendar; charset=utf-8')
      .headers({ 'Content-Language': language, 'Content-Disposition': 'inline; filename="services.ics"' })
      .send(
        printIcs({
          name: formatMessage(language, 'service.calendar'),
          language,
          events: await eventsFor(services, caller),
        }),
      );
  });
};

const dueMachineShape = {
  id: pg.integer,
  serial_number: pg.text,
  due: pg.text,
  updated_at: pg.timestamptz,
  address: pg.text.nullable,
};

/**
 * Events for due services of machines within the caller's scope, without dummies and retired machines. Names only
 * locations that the caller may list.
 */
async function eventsFor({ db, env, model, now }: Services, caller: Caller): Promise<CalendarEvent[]> {
  const query = parseListQuery('filter[is_dummy]=false&filter[stock_state]=in_stock,deployed,in_repair');
  const context = new QueryContext();
  const l = sql.raw('l');
  const locationWhere = hasPermission(caller, 'locations.list')
    ? sql`${notDeleted(l)} and ${scopeWhere(model.require('locations'), caller, l, new QueryContext('l_'))}`
    : sql`false`;
  const machines = await db.select(
    dueMachineShape,
    sql`
    select m.id, m.serial_number, m.next_service_due::text as due, m.updated_at,
      nullif(concat_ws(', ', l.name, l.address, nullif(concat_ws(' ', l.postal_code, l.city), '')), '') as address
    from machines m left join locations l on l.id = m.location_id and ${locationWhere}
    where ${matchWhere({ entity: model.require('machines'), caller, query }, context)}
      and m.next_service_due is not null
    order by m.next_service_due, m.id limit ${maxMachines}`,
  );
  const ids = machines.map(({ id }) => id);
  const next = nextByMachine(ids.length > 0 ? await readPlanForecasts(db, ids, now()) : []);
  const today = now().toISOString().slice(0, 10);
  return machines.map(({ id, serial_number, due, updated_at, address }) => {
    const plan = next.get(id);
    const explanation = plan ? planSentence(caller.language, plan) : manualDueSentence(caller.language, due, today);
    const url = `${env.publicUrl}/machines/${id}`;
    return {
      uid: `machine-${id}-service@${new URL(env.publicUrl).hostname}`,
      stamp: new Date(updated_at),
      day: due,
      summary: formatMessage(caller.language, 'service.event', { machine: serial_number }),
      description: `${explanation}\n${url}`,
      location: address ?? '',
      url,
    };
  });
}
