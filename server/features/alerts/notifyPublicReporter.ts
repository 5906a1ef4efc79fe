/** Mails a reporter without an account that the problem is closed: once, with public information only. */
import { sql } from 'drizzle-orm';
import type { Language } from '../../../schema/shared/languages';
import type { Services } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import type { JobResult } from '../../jobs/jobWorker';
import { timeZoneSql } from '../../telemetry/timeline/days';

interface PublicMessage {
  id: string;
  alert_id: number;
}

/** Enqueues the mail, and deletes the address, in the transaction that ends the job. */
export async function notifyPublicReporter(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  { id, alert_id }: PublicMessage,
): Promise<JobResult> {
  const report = await db.selectOne(
    { email: pg.text, language: pg.text.as<Language>(), product: pg.text, created_at: pg.timestamptz, zone: pg.text },
    sql`
    select p.email, p.language, coalesce(t.name, m.custom_type) as product, p.created_at,
      ${timeZoneSql(sql`l`)} as zone
    from public_reports p join alerts a on a.id = p.alert_id left join locations l on l.id = a.location_id
    join alerts_machines k on k.alerts_id = p.alert_id join machines m on m.id = k.machines_id
    left join types t on t.id = m.type_id where p.alert_id = ${alert_id} and p.email is not null`,
  );
  if (!report) return { outcome: 'over' };
  const { email, language, product, created_at, zone } = report;
  const time = new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium' }).format(created_at);
  return {
    outcome: 'sent',
    effects: async (tx) => {
      await mail.send(tx, email, language, { kind: 'public_problem_closed', name: '', product, time }, id);
      await tx.rows(sql`update public_reports set email = null where alert_id = ${alert_id}`);
    },
  };
}
