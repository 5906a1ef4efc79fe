/**
 * `GET /machines/{id}/service`: when the next service is due, and why. `GET /machines/{id}/costs`: cost of a machine
 * per hour and per square metre.
 */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { countedDaysSql } from '../../telemetry/timeline/days';
import { manualDueSentence, planSentence } from '../service/planSentence';
import { nextByMachine, readPlanForecasts } from '../service/refreshDue';
import { bookValueSql } from './bookValue';
import { readPeriodDays } from './period';

const costsShape = {
  from: pg.text,
  to: pg.text,
  service: pg.text,
  depreciation: pg.text,
  total: pg.text,
  cleaning: pg.integer,
  area_m2: pg.double,
  per_cleaning_hour: pg.text.nullable,
  per_m2: pg.text.nullable,
};

export const serviceRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  serve(app, 'GET /machines/{id}/service', async ({ params: { id } }, { caller: { language } }) => {
    const today = services.now().toISOString().slice(0, 10);
    const plans = await readPlanForecasts(db, [id], services.now());
    const nextPlan = nextByMachine(plans).get(id);
    const machine = await db.selectOne(
      { due: pg.text.nullable },
      sql`select next_service_due::text as due from machines where id = ${id}`,
    );
    const dueDate = nextPlan ? nextPlan.due : (machine?.due ?? null);
    const reason = nextPlan ? planSentence(language, nextPlan) : dueDate && manualDueSentence(language, dueDate, today);
    return {
      data: {
        due: dueDate,
        overdue: dueDate !== null && dueDate < today,
        reason,
        plans: plans.map((plan) => ({
          id: plan.planId,
          name: plan.name,
          own: plan.own,
          every_months: plan.months,
          every_hours: plan.hours,
          due: plan.due,
          reason: planSentence(language, plan),
        })),
      },
    };
  });

  serve(app, 'GET /machines/{id}/costs', async ({ params: { id }, query, services: requestServices }) => {
    const { from, to } = readPeriodDays(query, services.now().toISOString().slice(0, 10));
    const bookValueAt = (day: ReturnType<typeof sql>) => bookValueSql(sql.raw('m'), day);
    const data = await requestServices.db.selectOne(
      costsShape,
      sql`
      select ${from}::text as from, ${to}::text as to, service::text, depreciation::text,
      (service + depreciation)::text as total,
      cleaning, area_m2,
        case when cleaning > 0 then round((service + depreciation) * 3600 / cleaning, 2)::text end as per_cleaning_hour,
        case when area_m2 > 0 then round((service + depreciation) / area_m2::numeric, 4)::text end as per_m2
      from (
        select coalesce(${bookValueAt(sql`${from}::date`)} - ${bookValueAt(sql`${to}::date + 1`)}, 0) as depreciation,
          coalesce((select sum(cost) from service_entries where machine_id = m.id and deleted_at is null
          and date between ${from}::date and ${to}::date), 0) as service,
          days.cleaning, days.area_m2
        from machines m cross join lateral (
          select coalesce(sum(cleaning), 0)::int as cleaning, round(coalesce(sum(area_m2), 0)::numeric, 1)::float8 as
          area_m2
          from ${countedDaysSql} d where machine_id = m.id and day between ${from}::date and ${to}::date
        ) days where m.id = ${id}
      ) sums`,
    );
    if (!data) throw ApiError.notFound();
    return { data };
  });
};
