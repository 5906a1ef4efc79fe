/** The events of a machine as rows `(id, at, level, text)`: changes of state, told by the timeline, errors, clocks that are not believed, and messages that cannot be read. */
import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../../api/caller';
import { texts } from '../../api/texts';
import { readerZone, reasonSql } from '../../telemetry/reasons';

/** Ids of the two kinds do not meet: changes of state have even ones, by their second; the others odd ones. */
export function logRows(machine: number, caller: Caller): SQL {
  const { language } = caller;
  const names = Object.entries(texts[language].resources.machines.choices.status).map(([state, name]) => sql`when ${state} then ${name}`);
  const zone = readerZone(caller, sql`l`);
  const site = sql`join machines m on m.id = ${machine} left join locations l on l.id = m.location_id`;
  const state = sql`case s.state ${sql.join(names, sql` `)} end`;
  const reason = reasonSql(language, { reason: sql`s.reason`, at: sql`s.reason_at`, from: sql`s.from_at`, zone });
  const clock = sql`replace(${texts[language].logs.clock}, '%{time}', coalesce(to_char(e.told_at at time zone ${zone}, 'DD.MM.YYYY HH24:MI'), '–'))`;
  return sql`
    select (extract(epoch from s.from_at) * 2)::float8 as id, s.from_at as at, case s.state when 'Offline' then 'warning' else 'info' end as level,
      concat(${state}, ': ', ${reason}) as text
    from segments s ${site} where s.machine_id = ${machine}
    union all
    select (e.id * 2 + 1)::float8, e.at, e.level, case e.kind when 'clock' then ${clock} when 'refused' then ${texts[language].logs.refused} else concat_ws(': ', e.code, e.message) end
    from machine_logs e ${site} where e.machine_id = ${machine}`;
}
