/** Writes migrations from the declarations in drizzle-kit's layout, so that its other commands work. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getTableName } from 'drizzle-orm';
import { entities } from '../../../schema';
import { tables } from '../schema';
import { fleetSumTriggers } from '../schema/fleetSumTriggers';
import { historyTriggers } from '../schema/historyTriggers';
import { objectTriggers } from '../schema/objectTriggers';
import { partitioned } from '../schema/partitions';
import { runDayTriggers } from '../schema/runDayTriggers';
import { runTriggers } from '../schema/runTriggers';
import { buildTriggers, countedTables, tableSettings } from '../schema/triggers';
import { emptySnapshot, type Snapshot, snapshotOf, statementsBetween } from './ddl';
import { migrationsFolder } from './migrate';

interface Journal {
  version: string;
  dialect: string;
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

const initialId = '00000000-0000-4000-8000-000000000001';
const metaFolder = join(migrationsFolder, 'meta');
const journalPath = join(metaFolder, '_journal.json');
const triggersPath = join(metaFolder, 'triggers.json');
const partitionsPath = join(metaFolder, 'partitions.json');

/** The declared tables as snapshot after `previous`. */
export function declaredSnapshot(previous: Snapshot = emptySnapshot): Snapshot {
  const names = new Set<string>(Object.values(tables).map((table) => getTableName(table)));
  const counts = Object.fromEntries(Object.entries(countedTables).filter(([name]) => names.has(name)));
  const partitions = Object.fromEntries(Object.entries(partitioned).map(([name, { by }]) => [name, by]));
  return snapshotOf(
    tables,
    {
      triggers: [
        ...tableSettings,
        ...buildTriggers(entities, counts),
        ...historyTriggers,
        ...fleetSumTriggers,
        ...runTriggers,
        ...runDayTriggers,
        ...objectTriggers,
      ],
      partitions,
    },
    previous,
  );
}

/** The snapshot of the committed migrations. */
export function committedSnapshot(): Snapshot {
  const last = readJournal().entries.at(-1);
  if (!last) return emptySnapshot;
  return {
    tables: readJson(join(metaFolder, `${printIndex(last.idx)}_snapshot.json`)) as Snapshot['tables'],
    triggers: readJson(triggersPath) as string[],
    partitions: existsSync(partitionsPath) ? (readJson(partitionsPath) as Snapshot['partitions']) : {},
  };
}

/**
 * Writes a migration called `name`, or rewrites the initial one. Returns its tag, or `undefined` if nothing changed.
 */
export async function writeMigration(name?: string): Promise<string | undefined> {
  if (!name) deleteMigrations();
  const before = committedSnapshot();
  const after = declaredSnapshot(before);
  const statements = await statementsBetween(before, after);
  if (statements.length === 0) return undefined;
  const journal = readJournal();
  const index = journal.entries.length;
  const tag = `${printIndex(index)}_${name ?? 'initial'}`;
  mkdirSync(metaFolder, { recursive: true });
  writeFileSync(join(migrationsFolder, `${tag}.sql`), `${statements.join(';\n--> statement-breakpoint\n')};\n`);
  // The initial migration is rewritten until the first release: with a fixed id and time, its files stay identical as
  // long as the tables do.
  const createdAt = name ? Date.now() : 0;
  write(
    join(metaFolder, `${printIndex(index)}_snapshot.json`),
    name ? after.tables : { ...after.tables, id: initialId },
  );
  write(triggersPath, after.triggers);
  write(partitionsPath, after.partitions);
  write(journalPath, {
    ...journal,
    entries: [...journal.entries, { idx: index, version: journal.version, when: createdAt, tag, breakpoints: true }],
  });
  return tag;
}

function deleteMigrations(): void {
  if (readJournal().entries.length > 1)
    throw new Error(
      'There are later migrations already: give the change a name, as in `npm run db:generate -- --name add_colour`.',
    );
  // The folder also contains the code that applies the migrations.
  for (const file of existsSync(migrationsFolder) ? readdirSync(migrationsFolder) : [])
    if (file === 'meta' || file.endsWith('.sql')) rmSync(join(migrationsFolder, file), { recursive: true });
}

const printIndex = (index: number) => String(index).padStart(4, '0');
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
const readJournal = (): Journal =>
  existsSync(journalPath) ? (readJson(journalPath) as Journal) : { version: '7', dialect: 'postgresql', entries: [] };

if (process.argv[1]?.endsWith('generate.ts')) {
  const { values } = parseArgs({ options: { name: { type: 'string' } } });
  const tag = await writeMigration(values.name);
  console.log(tag ? `Wrote server/db/migrations/${tag}.sql` : 'The tables are as declared: nothing to write.');
}
