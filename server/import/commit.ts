/** The second step of an import: judges every row once more, unless nothing was written since that could matter, and writes it; all in one transaction. */
import { sql } from 'drizzle-orm';
import { Refusal } from '../api/errors';
import { serverOf } from '../api/model';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../db/database';
import { fieldOfKey } from '../db/names';
import { headsHash, type Step } from './check';
import { entityOf, setState } from './job';
import { judgeRows, problemsOf } from './judge';
import { type Counts, noCounts, noteAction, noteStored, stagedAfter } from './staged';
import { judgedAfter, overturn, stillHolds } from './standing';
import { type StoredRow, writeRows } from './store';
import { type CellProblem, type JudgedRow, Work } from './work';

/** Rows that kept the whole from being written. */
class Refused extends Error {
  constructor(readonly rows: readonly JudgedRow[]) {
    super('Rows of the file are wrong.');
  }
}

/** Of more rows open pages hear nothing by name: whoever shows a list asks again when the import is done. */
const mostNews = 1000;

/** Gives what was written, or `undefined` when rows were wrong and nothing was. */
export async function commit({ services, job, caller, progress }: Step): Promise<Counts | undefined> {
  const { db } = services;
  const entity = entityOf(services, job);
  const total = (await db.one<{ rows: number }>(sql`select count(*)::int as rows from import_rows where import_id = ${job.id}::int`))?.rows ?? 0;
  let written: StoredRow[] = [];
  let counts = noCounts();
  try {
    await db.transaction(async (tx) => {
      // Tables grow under these statements as no statistics tell: a plan that was made for an empty one would read the whole of it each time.
      await tx.rows(sql`set local plan_cache_mode = force_custom_plan`);
      written = [];
      counts = noCounts();
      const work = new Work(services, entity, caller, job.settings, job.columns ?? []);
      const isJudged = await stillHolds(tx, job);
      let done = 0;
      for (let last = 0; ; ) {
        const rows = isJudged ? await judgedAfter(tx, job.id, last) : await judgeRows(work, tx, await stagedAfter(tx, job.id, last), { lock: true });
        if (rows.length === 0) break;
        const { stored, others } = await writeGood(work, tx, rows);
        const wrong = others.filter(({ action }) => action === 'error');
        if (wrong.length > 0 && job.settings.rows === 'all') throw new Refused(wrong);
        await noteStored(tx, job.id, stored);
        await noteAction(tx, job.id, others);
        for (const { before } of stored) counts[before ? 'update' : 'create'] += 1;
        for (const { action } of others) counts[action] += 1;
        written.push(...(written.length < mostNews || serverOf(entity).committed ? stored : []));
        last = rows.at(-1)?.row ?? last;
        done += rows.length;
        progress(done / total);
      }
      await rememberMapping(tx, job);
      await setState(tx, job.id, { state: 'done', counts });
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await overturn(db, job.id);
    await noteAction(db, job.id, error.rows);
    return undefined;
  }
  await tell({ services, caller, job }, entity.name, written);
  return counts;
}

/** Writes what is right. If the batch is refused each row is tried by itself, so that it is known which one it was. */
async function writeGood(work: Work, tx: Queries, judged: readonly JudgedRow[]): Promise<{ stored: StoredRow[]; others: JudgedRow[] }> {
  const good = judged.filter(({ action }) => action === 'create' || action === 'update');
  const others = judged.filter((row) => !good.includes(row));
  if (good.length === 0) return { stored: [], others };
  const together = await attempted(work, tx, good);
  if (Array.isArray(together)) return { stored: together, others };
  const stored: StoredRow[] = [];
  for (const row of good) {
    const alone = await attempted(work, tx, [row]);
    if (Array.isArray(alone)) stored.push(...alone);
    else others.push({ ...row, action: 'error', problems: alone.problems.map((found) => placed(work, found)) });
  }
  return { stored, others };
}

const placed = ({ fillings }: Work, found: CellProblem): CellProblem => ({
  ...found,
  column: fillings.find(({ field }) => field === found.field)?.index ?? null,
});

/** The rows as stored, or what the database or a rule has against them; then nothing of them stays. */
async function attempted(work: Work, tx: Queries, rows: readonly JudgedRow[]): Promise<StoredRow[] | { problems: CellProblem[] }> {
  await tx.rows(sql`savepoint of_import`);
  try {
    const stored = await writeRows(work, tx, rows);
    await tx.rows(sql`release savepoint of_import`);
    return stored;
  } catch (error) {
    const problems = refusedBy(work, error);
    if (!problems) throw error;
    await tx.rows(sql`rollback to savepoint of_import`);
    return { problems };
  }
}

function refusedBy({ entity }: Work, error: unknown): CellProblem[] | undefined {
  if (error instanceof Refusal) return problemsOf(error);
  if (error instanceof ForeignKeyViolation) return [{ column: null, problem: { text: 'conflict' } }];
  if (!(error instanceof UniqueViolation)) return undefined;
  const field = fieldOfKey(entity, error.constraint);
  return [{ column: null, ...(field && { field }), problem: field ? { key: 'taken' } : { text: 'conflict' } }];
}

/** What follows once it is committed, as after a form: mails, open pages. */
async function tell({ services, caller }: Pick<Step, 'services' | 'caller' | 'job'>, entity: string, written: readonly StoredRow[]): Promise<void> {
  const { committed } = serverOf(entityOf(services, { resource: entity }));
  for (const { id, values, before } of committed ? written : [])
    await committed?.({ caller, services, id, action: before ? 'edit' : 'create', values }).catch((err: unknown) =>
      services.log.warn({ err }, 'what follows a row of an import failed'),
    );
  const news = written.slice(0, mostNews).map(({ id, before }) => ({ entity, id, type: before ? ('updated' as const) : ('created' as const) }));
  void services.live.publish(news).catch((err: unknown) => services.log.warn({ err }, 'open pages could not be told of an import'));
}

/** The next file with these heads is read in the same way. */
async function rememberMapping(tx: Queries, { user_id, resource, columns, settings: { fixed, words } }: Step['job']): Promise<void> {
  if (!columns) return;
  const mapping = Object.fromEntries(columns.filter(({ left_out }) => left_out === undefined || left_out === 'chosen').map(({ key, target }) => [key, target]));
  await tx.rows(sql`
    insert into import_mappings (user_id, resource, heads, mapping, settings) values (${user_id}::int, ${resource},
      ${headsHash(columns.map(({ head }) => head))}, ${JSON.stringify(mapping)}::text::jsonb, ${JSON.stringify({ fixed, words })}::text::jsonb)
    on conflict (user_id, resource, heads) do update set mapping = excluded.mapping, settings = excluded.settings, used_at = now()`);
}
