/** What an alert is about, in the reader's language: as SQL for lists and rows, as text for messages. */
import { type SQL, sql } from 'drizzle-orm';
import { registry } from '../../../schema';
import { type AlertKind, alertKinds, problemKinds } from '../../../schema/entities/alerts';
import { stateNames } from '../../../schema/entities/machines';
import type { Language } from '../../../schema/shared/languages';
import { QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import { sqlLiteral } from '../../db/core/columns';
import { choiceOf, texts } from '../../i18n/messages';

/** What an alert is about. The metric decides what value and code mean. */
export interface AlertFinding {
  metric: AlertKind;
  value: number | null;
  code: string | null;
}

/** The value of an alert whose zones were never cleaned; its `code` is the day on which they were drawn. */
export const neverCleanedValue = 0;

/** Returns the finding as text, such as "battery at 12%". */
export function findingText(language: Language, { metric, value, code }: AlertFinding): string {
  const alertTexts = texts[language].alerts;
  const phrase =
    metric === 'error' && code === null
      ? alertTexts.error_any
      : metric === 'reported' && code === 'other'
        ? alertTexts.reported_other
        : metric === 'run_incomplete' && value === null
          ? alertTexts.run_incomplete_any
          : metric === 'zone_uncleaned' && value === neverCleanedValue
            ? alertTexts.zone_never_cleaned
            : alertTexts[metric];
  const problem = metric === 'reported' && code !== null ? problemWord(language, code) : '';
  const state = metric === 'state' && code !== null ? stateWord(language, code) : '';
  const isDated = metric === 'service_due' || metric === 'zone_uncleaned';
  const date = isDated && code !== null ? code.split('-').reverse().join('.') : '';
  return phrase
    .replace('%{state}', () => state)
    .replace('%{problem}', () => problem)
    .replace('%{date}', () => date)
    .replace('%{value}', () => (value === null ? '' : String(Math.round(value))))
    .replace('%{code}', () => code ?? '');
}

/** Returns subject and finding, such as "HB-013 · offline". The subject of several machines is their location. */
export function summaryText(
  language: Language,
  finding: AlertFinding & { machines: readonly string[]; place: string | null },
): string {
  const { machines, place } = finding;
  const [firstMachine] = machines;
  const subject =
    machines.length === 1
      ? firstMachine
      : [place, machines.length > 1 ? `(${machines.length})` : ''].filter(Boolean).join(' ');
  return [subject, findingText(language, finding)].filter(Boolean).join(' · ');
}

/** SQL: the summary of a row of `alerts`, which counts only machines within the caller's scope. */
export function summarySql(model: EntityModel, row: SQL, caller: Caller): SQL {
  const { language } = caller;
  const literalSql = (text: string) => sql.raw(sqlLiteral(text));
  const alertTexts = texts[language].alerts;
  const states = stateNames.map(
    (state) => sql`when ${literalSql(state)} then ${literalSql(stateWord(language, state))}`,
  );
  const replaceSql = (phrase: string, name: string, value: SQL) =>
    sql`replace(${literalSql(phrase)}, ${literalSql(`%{${name}}`)}, coalesce(${value}, ''))`;
  const dateSql = (metric: AlertKind) =>
    sql`case when ${row}.metric = ${literalSql(metric)} then to_char(${row}.code::date, 'DD.MM.YYYY') end`;
  const problems = problemKinds.map(
    (kind) => sql`when ${literalSql(kind)} then ${literalSql(problemWord(language, kind))}`,
  );
  const phrases: Record<AlertKind, SQL> = {
    offline: literalSql(alertTexts.offline),
    left_site: literalSql(alertTexts.left_site),
    state: replaceSql(alertTexts.state, 'state', sql`case ${row}.code ${sql.join(states, sql` `)} end`),
    battery: replaceSql(alertTexts.battery, 'value', sql`round(${row}.value)::text`),
    cleaned_less: replaceSql(alertTexts.cleaned_less, 'value', sql`round(${row}.value)::text`),
    service_due: replaceSql(alertTexts.service_due, 'date', dateSql('service_due')),
    run_incomplete: sql`case when ${row}.value is null then ${literalSql(alertTexts.run_incomplete_any)}
      else ${replaceSql(alertTexts.run_incomplete, 'value', sql`round(${row}.value)::text`)} end`,
    run_interrupted: replaceSql(alertTexts.run_interrupted, 'value', sql`round(${row}.value)::text`),
    zone_uncleaned: sql`case when ${row}.value = ${sql.raw(String(neverCleanedValue))}
      then ${replaceSql(alertTexts.zone_never_cleaned, 'date', dateSql('zone_uncleaned'))}
      else ${replaceSql(alertTexts.zone_uncleaned, 'date', dateSql('zone_uncleaned'))} end`,
    error: sql`case when ${row}.code is null then ${literalSql(alertTexts.error_any)}
      else ${replaceSql(alertTexts.error, 'code', sql`${row}.code`)} end`,
    reported: sql`case when ${row}.code = 'other' then ${literalSql(alertTexts.reported_other)}
      else ${replaceSql(alertTexts.reported, 'problem', sql`case ${row}.code ${sql.join(problems, sql` `)} end`)} end`,
  };
  const findingSql = sql`case ${row}.metric ${sql.join(
    alertKinds.map((metric) => sql`when ${literalSql(metric)} then ${phrases[metric]}`),
    sql` `,
  )} end`;
  const machineAlias = sql.raw('alert_machine');
  const zones = model.require('zones');
  return sql`(case when ${row}.floor_id is not null then concat_ws(' · ', ${zonePlaceSql(
    row,
    scopeWhere(zones, caller, sql.raw('alert_zone'), new QueryContext('z_')),
  )}, ${findingSql}) else (select concat_ws(' · ', nullif(case count(*) when 1 then min(alert_machine.serial_number)
    else
      concat_ws(' ', (select place.name from locations place where place.id = ${row}.location_id), case
      when count(*) > 1 then '(' || count(*) || ')' end) end, ''), ${findingSql})
    from alerts_machines link join machines alert_machine on alert_machine.id = link.machines_id
    where link.alerts_id = ${row}.id and alert_machine.deleted_at is null
    and ${scopeWhere(model.require('machines'), caller, machineAlias)}) end)`;
}

/** Maximum zones that the name of an alert lists. */
const maxZones = 3;

/**
 * SQL: zones and place of alert `row`, such as "Foyer, Corridor, Ward 2 (+4) · Ground floor, St. Mary's". Contains only
 * zones `alert_zone` that match `visibleWhere`.
 */
export const zonePlaceSql = (row: SQL, visibleWhere: SQL): SQL => sql`(
  select concat_ws(' · ', concat_ws(' ', array_to_string((array_agg(alert_zone.name order by alert_zone.name,
      alert_zone.id))[1:${sql.raw(String(maxZones))}], ', '),
    case when count(*) > ${sql.raw(String(maxZones))} then '(+' || count(*) - ${sql.raw(String(maxZones))} || ')' end),
    (select concat_ws(', ', alert_floor.name, alert_site.name) from floors alert_floor
      join locations alert_site on alert_site.id = alert_floor.location_id where alert_floor.id = ${row}.floor_id))
  from alerts_zones link join zones alert_zone on alert_zone.id = link.zones_id
  where link.alerts_id = ${row}.id and ${visibleWhere})`;

const stateWord = (language: Language, value: string) =>
  choiceOf(language, registry.machines, { field: 'status', value });
const problemWord = (language: Language, value: string) =>
  choiceOf(language, registry.alerts, { field: 'problem', value });
