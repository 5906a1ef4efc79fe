/** What the steps of one import share. */

import type { ImportColumn, ImportSettings, RowAction } from '../../../schema/shared/imports';
import type { Caller } from '../../context/caller';
import type { FieldProblem } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { CurrentRow } from '../../crud/write/lockRows';
import type { RuleResult } from '../../crud/write/validate';
import { type ReadCell, textOfCell } from './cell';
import { type Target, targetsOf } from './columns';
import { isNamable, NameFinder, referencedEntity, sharedOf } from './references';
import type { ColumnFormat } from './values';

export interface CellProblem {
  /** The column of the file, `null` for what concerns the whole row. */
  column: number | null;
  field?: string;
  problem: FieldProblem;
}

export interface FileRow {
  row: number;
  cells: ReadCell[];
  edited: Record<string, string> | null;
}

export interface ValidatedRow extends FileRow {
  action: RowAction;
  key: string | null;
  problems: CellProblem[];
  /** What would be written. */
  changes: Record<string, unknown>;
  current: CurrentRow | undefined;
}

/** A row on its way through the steps. */
export interface ImportDraft extends FileRow {
  values: Record<string, unknown>;
  /** Names that still have to become ids, by field. */
  names: Map<string, string>;
  /**
   * Names that more than one row is called by, with these rows: the row of the file may be one that says already which.
   */
  unclear: Unclear[];
  /** References to rows that the commit will add. */
  awaited: Set<string>;
  problems: CellProblem[];
  current: CurrentRow | undefined;
  key: string | null;
}

interface Unclear {
  field: string;
  name: string;
  among: readonly number[];
}

export interface RuleCheckedRow {
  draft: ImportDraft;
  /** Absent for rows that are wrong or left alone before any rule is asked. */
  rules?: RuleResult;
}

/** A column that fills a field, or a text that fills it in every row. */
export interface ColumnMapping extends Target {
  index: number | null;
  fixed?: string;
  manner: ColumnFormat;
}

/** A row of another entity that an import has added. */
export interface AddedRow {
  entity: string;
  id: number;
}

/** As many as anybody would look through. */
const mostMissing = 200;

export class ImportContext {
  readonly fillings: readonly ColumnMapping[];
  readonly finders: ReadonlyMap<string, NameFinder>;
  /** Ids of references by the name of what they point at: whether the importer sees them. */
  readonly seen = new Map<string, Map<number, boolean>>();
  /** What rows of the file claim for themselves, and which row was first. */
  readonly claimed = new Map<string, number>();
  /** Names and words of the file that nothing is called by, by field. */
  readonly missing = new Map<string, Set<string>>();
  /** Rows that were added for names that were missing. */
  readonly added: AddedRow[] = [];
  /** Reference fields whose missing names are added. */
  readonly adding: ReadonlySet<string>;

  constructor(
    readonly services: Services,
    readonly entity: ModelEntity,
    readonly caller: Caller,
    readonly settings: ImportSettings,
    private readonly columns: readonly (ImportColumn & { manner?: ColumnFormat })[],
  ) {
    const targets = targetsOf(entity, caller);
    this.adding = new Set((settings.create_missing ?? []).filter((field) => isNamable(entity, field, caller)));
    const filled = columns.flatMap(({ index, target, manner = {} }): ColumnMapping[] => {
      const found = targets.find(({ name }) => name === target);
      return found ? [{ ...found, index, manner }] : [];
    });
    const fixed = Object.entries(settings.fixed ?? {}).flatMap(([target, text]): ColumnMapping[] => {
      const found = targets.find(({ name }) => name === target && name !== 'id');
      return found && !filled.some(({ field }) => field === found.field)
        ? [{ ...found, index: null, fixed: text, manner: settings }]
        : [];
    });
    this.fillings = [...filled, ...fixed];
    this.finders = new Map(
      this.fillings
        .filter(({ byName }) => byName)
        .map(({ field }) => {
          const target = referencedEntity(entity, entity.fields[field] as never);
          return [field, new NameFinder(target, caller, sharedOf(entity, target))];
        }),
    );
  }

  /** What a row says in a field: the cell as it was put right, as it was read, or what every row says. */
  cellOf({ index, fixed }: ColumnMapping, { cells, edited }: Pick<FileRow, 'cells' | 'edited'>): ReadCell {
    return (index === null ? fixed : (edited?.[index] ?? cells[index])) ?? null;
  }

  /** What somebody has said that a word of the file means. */
  meant(field: string, cell: ReadCell): string | undefined {
    const words = this.settings.words?.[field];
    const word = words && textOfCell(cell).trim();
    return word !== undefined && Object.hasOwn(words ?? {}, word) ? words?.[word] : undefined;
  }

  /** Rows that are written are taken: no later row of the file may mean one of them, although it would find it now. */
  claimStored(rows: readonly { row: number; id: number }[]): void {
    for (const { row, id } of rows) this.claimed.set(`id ${id}`, row);
  }

  /** The same work for an importer whose rights are others now. */
  forCaller(caller: Caller): ImportContext {
    const work = new ImportContext(this.services, this.entity, caller, this.settings, this.columns);
    for (const [key, row] of this.claimed) work.claimed.set(key, row);
    return work;
  }

  /** Notes a name or word of the file that nothing is called by. */
  miss(field: string, word: string): void {
    const missing = this.missing.get(field) ?? new Set();
    if (missing.size < mostMissing) this.missing.set(field, missing.add(word));
  }
}
