/** Triggers that maintain the sums of runs (runDays.ts) for every writer. */
import { countedRunWhere, runAmounts, runAmountsSql, runDayColumns } from '../core/runAmounts';

const append = (rows: string) => `insert into run_day_changes (${runDayColumns})
    select day, fleet_id, location_id, ${runAmounts.map((name) => `sum(${name})`).join(', ')} from (${rows}) run
    group by 1, 2, 3 having ${runAmounts.map((name) => `sum(${name}) <> 0`).join(' or ')};`;
const rowsOf = (table: string, sign: string) =>
  `select ${runAmountsSql(sign)} from ${table} r where ${countedRunWhere}`;
const trigger = (name: string, instant: string, rows: string) =>
  `create trigger runs_sum_${name} after ${instant} on runs referencing ${rows}
  for each statement execute function sum_runs()`;

/** Statements in execution order; the tables must exist. The last one is for runs that existed before. */
export const runDayTriggers: readonly string[] = [
  `create or replace function sum_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    ${append(rowsOf('made', '1'))}
  elsif tg_op = 'DELETE' then
    ${append(rowsOf('gone', '-1'))}
  else
    ${append(`${rowsOf('made', '1')} union all ${rowsOf('gone', '-1')}`)}
  end if;
  return null;
end $$`,
  trigger('made', 'insert', 'new table as made'),
  trigger('changed', 'update', 'old table as gone new table as made'),
  trigger('gone', 'delete', 'old table as gone'),
  `insert into run_days (${runDayColumns})
  select day, fleet_id, location_id, ${runAmounts.map((name) => `sum(${name})`).join(', ')}
  from (${rowsOf('runs', '1')}) run group by 1, 2, 3`,
];
