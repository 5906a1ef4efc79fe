/** `GET /{r}/export`: the whole filtered and sorted result as a file, with the columns and the order that the user sees. */
import { type SQL, sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { readListQuery } from '../../../schema/dsl/query';
import { type Caller, may } from '../caller';
import { Refusal } from '../errors';
import type { Cell } from '../exchange/csv';
import { isFileFormat, sendSheet } from '../exchange/stream';
import { searchOf } from '../http';
import { column, entityNamed, linkOf, relationsOf, serverOf, table } from '../model';
import { within } from '../scope';
import { choiceOf, labelOf, nameOf, say } from '../texts';
import { type At, jsonSql, readable, valueSql } from './fields';
import { rowsSql } from './select';

export const exportRoute =
  (entity: Entity) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller, server } = request;
    may(caller, `${entity.name}.export`);
    const search = searchOf(request);
    const asked = new URLSearchParams(search);
    const format = asked.get('format') ?? 'csv';
    if (!isFileFormat(format)) throw Refusal.invalidAt('format', { key: 'one_of', values: { values: 'csv, xlsx' } });
    const raw = asked.get('raw') === '1';
    const columns = columnsOf(entity, caller, asked.get('columns'));
    const statement = rowsSql({ entity, caller, query: readListQuery(search) }, (at) => cellsSql(at, columns, raw));
    return sendSheet(reply, {
      format,
      name: raw ? entity.name : nameOf(caller.language, entity, 2),
      head: columns.map((name) => (raw ? name : labelOf(caller.language, entity, name))),
      rows: printed(server.services.db.stream<Record<string, unknown>>(statement, 500), { entity, caller, columns, raw }),
    });
  };

/** The columns asked for, or those the list shows at first. Unknown and hidden ones are refused with 400. */
function columnsOf(entity: Entity, caller: Caller, asked: string | null): string[] {
  const known = readable(entity, caller);
  const wanted = asked ? asked.split(',').filter((name) => name !== '') : entity.list.columns.filter((name) => known.includes(name));
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw Refusal.notAllowed('field', unknown, known);
  return [...wanted];
}

const cellsSql = (at: At, columns: readonly string[], raw: boolean): SQL =>
  sql.join(
    columns.map((name, index) => sql`${raw ? jsonSql(at, name) : readableSql(at, name)} as ${sql.identifier(`c${index}`)}`),
    sql`, `,
  );

/** References are exported by the name of what they point at. */
function readableSql(at: At, name: string): SQL {
  const field = at.entity.fields[name] as Field;
  const own = serverOf(at.entity).printed?.[name];
  if (own) return own.sql(at);
  if (field.kind === 'refs') return linkedTitles(at, field);
  if (field.kind !== 'ref') return jsonSql(at, name);
  const relation = relationsOf(at.entity).get(name.replace(/_id$/, ''));
  if (!relation) return valueSql(at, name);
  const to = at.sketch.alias();
  return sql`(select ${titleSql(relation.target, to)} from ${table(relation.target)} ${to} where ${to}.id = ${valueSql(at, name)} and ${within(relation.target, at.caller, to, at.sketch)})`;
}

function linkedTitles({ entity, row, caller, sketch }: At, field: Field): SQL {
  const link = linkOf(entity, field);
  const target = entityNamed(field.to as string);
  const [at, to] = [sketch.alias(), sketch.alias()];
  return sql`(select string_agg(${titleSql(target, to)}, ', ' order by ${to}.id) from ${link.table} ${at} join ${table(target)} ${to} on ${to}.id = ${at}.${link.other} where ${at}.${link.own} = ${row}.id and ${within(target, caller, to, sketch)})`;
}

const titleSql = (target: Entity, row: SQL): SQL =>
  sql`concat_ws(' ', ${sql.join(
    target.titles.map((name) => column(row, name)),
    sql`, `,
  )})`;

interface Printing {
  entity: Entity;
  caller: Caller;
  columns: readonly string[];
  raw: boolean;
}

async function* printed(batches: AsyncIterable<Record<string, unknown>[]>, printing: Printing): AsyncGenerator<Cell[][]> {
  for await (const rows of batches) yield rows.map((row) => printing.columns.map((name, index) => cellOf(row[`c${index}`], name, printing)));
}

function cellOf(value: unknown, name: string, { entity, caller, raw }: Printing): Cell {
  if (value === null || value === undefined) return null;
  if (raw) return typeof value === 'number' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return serverOf(entity).printed?.[name]?.say(value, caller) ?? inWords(value, name, { entity, caller });
}

/** A value of a field as people read it; references are named already. */
export function inWords(value: unknown, name: string, { entity, caller: { language, timeZone } }: { entity: Entity; caller: Caller }): string | number {
  const words: Partial<Record<Kind, () => string | number>> = {
    boolean: () => say(language, value ? 'api.yes' : 'api.no'),
    choice: () => choiceOf(language, entity, { field: name, value: String(value) }),
    date: () => String(value).split('-').reverse().join('.'),
    instant: () => moment(String(value), timeZone),
    tags: () => (value as string[]).join(', '),
    records: () => (value as Record<string, unknown>[]).map((record) => Object.values(record)[0]).join(', '),
    money: () => Number(value),
  };
  const kind = entity.fields[name]?.kind;
  return (kind && words[kind]?.()) ?? (typeof value === 'number' ? value : String(value));
}

/** dd.mm.yyyy HH:MM:SS in the reader's zone, as the list shows it; in UTC when the request names none. */
function moment(iso: string, timeZone = 'UTC'): string {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('de-DE', { timeZone, dateStyle: 'medium', timeStyle: 'medium' });
  clocks.set(timeZone, clock);
  return clock.format(new Date(iso)).replace(', ', ' ');
}

/** Kept, since making one takes longer than a thousand uses. */
const clocks = new Map<string, Intl.DateTimeFormat>();
