/** State that the steps of one import share. */

import type { ImportSettings, RowAction } from '../../../schema/shared/imports';
import type { Caller } from '../../context/caller';
import type { FieldProblem } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { CurrentRow } from '../../crud/write/lockRows';
import type { RuleResult } from '../../crud/write/validateDraft';
import { pg, type RowOf } from '../../db/core/rowShape';
import { type ReadCell, textOfCell } from './importCell';
import type { ColumnFormat, StoredColumn } from './parseCell';
import { isCreatableByName, NameFinder, referencedEntity, sharedReferences } from './references';
import { listTargets, type Target } from './target';

export interface CellProblem {
  /** Column of the file; `null` for the row as a whole. */
  column: number | null;
  field?: string;
  problem: FieldProblem;
}

export const fileRowShape = {
  row: pg.integer,
  cells: pg.json<ReadCell[]>(),
  edited: pg.json<Record<string, string>>().nullable,
};
export type FileRow = RowOf<typeof fileRowShape>;

export interface ValidatedRow extends FileRow {
  action: RowAction;
  key: string | null;
  problems: CellProblem[];
  /** Values that the commit will write. */
  changes: Record<string, unknown>;
  current: CurrentRow | undefined;
}

/** A row while it passes through the steps. */
export interface ImportDraft extends FileRow {
  values: Record<string, unknown>;
  /** Names to be resolved to ids, by field; empty after `resolveNames`. */
  names: Map<string, string>;
  /** Ambiguous names, with the rows that they match. The reference that the row has now may decide between them. */
  ambiguous: AmbiguousName[];
  /** Fields that refer to rows which the commit will create. */
  pendingReferences: Set<string>;
  problems: CellProblem[];
  current: CurrentRow | undefined;
  key: string | null;
}

interface AmbiguousName {
  field: string;
  name: string;
  ids: readonly number[];
}

export interface RuleCheckedRow {
  draft: ImportDraft;
  /** Undefined for rows that are skipped, or whose problems prevent further validation. */
  rules?: RuleResult;
}

/** Maps a column to a field, or a fixed text to a field of every row. */
export interface ColumnMapping extends Target {
  index: number | null;
  fixed?: string;
  format: ColumnFormat;
}

/** A row of another entity that the import has created. */
export interface CreatedRow {
  entity: string;
  id: number;
}

/** Maximum missing names to record; nobody would review more. */
const maxMissing = 200;

export class ImportContext {
  readonly mappings: readonly ColumnMapping[];
  readonly finders: ReadonlyMap<string, NameFinder>;
  /** Whether the importer may see referenced rows, by entity and id. */
  readonly visibility = new Map<string, Map<number, boolean>>();
  /** Keys and unique values that rows of the file have, with the first row of each. */
  readonly claimedKeys = new Map<string, number>();
  /** Names and words that match nothing, by field. */
  readonly missing = new Map<string, Set<string>>();
  /** Rows created for missing names. */
  readonly createdRows: CreatedRow[] = [];
  /** Reference fields for whose missing names the commit creates rows. */
  readonly creatableFields: ReadonlySet<string>;

  constructor(
    readonly services: Services,
    readonly entity: ModelEntity,
    readonly caller: Caller,
    readonly settings: ImportSettings,
    private readonly columns: readonly StoredColumn[],
  ) {
    const targets = listTargets(entity, caller);
    this.creatableFields = new Set(
      (settings.create_missing ?? []).filter((field) => isCreatableByName(entity, field, caller)),
    );
    const columnMappings = columns.flatMap(({ index, target, format = {} }): ColumnMapping[] => {
      const match = targets.find(({ name }) => name === target);
      return match ? [{ ...match, index, format }] : [];
    });
    const fixedMappings = Object.entries(settings.fixed ?? {}).flatMap(([target, text]): ColumnMapping[] => {
      const match = targets.find(({ name }) => name === target && name !== 'id');
      return match && !columnMappings.some(({ field }) => field === match.field)
        ? [{ ...match, index: null, fixed: text, format: settings }]
        : [];
    });
    this.mappings = [...columnMappings, ...fixedMappings];
    this.finders = new Map(
      this.mappings
        .filter(({ isByName }) => isByName)
        .map(({ field }) => {
          const target = referencedEntity(entity, entity.fields[field] as never);
          return [field, new NameFinder(target, caller, sharedReferences(entity, target))];
        }),
    );
  }

  /** Content of a field in a row: the corrected cell, else the cell, or the fixed text. */
  cellOf({ index, fixed }: ColumnMapping, { cells, edited }: Pick<FileRow, 'cells' | 'edited'>): ReadCell {
    return (index === null ? fixed : (edited?.[index] ?? cells[index])) ?? null;
  }

  /** Meaning that the user set for a word of the file. */
  meaningOf(field: string, cell: ReadCell): string | undefined {
    const words = this.settings.words?.[field];
    const word = words && textOfCell(cell).trim();
    return word !== undefined && Object.hasOwn(words ?? {}, word) ? words?.[word] : undefined;
  }

  /** Claims written rows, so that a later row of the file that matches one of them counts as a duplicate. */
  claimStoredRows(rows: readonly { row: number; id: number }[]): void {
    for (const { row, id } of rows) this.claimedKeys.set(`id ${id}`, row);
  }

  /** Returns a context with the importer's new access and the claimed keys of this one, but without its caches. */
  forCaller(caller: Caller): ImportContext {
    const context = new ImportContext(this.services, this.entity, caller, this.settings, this.columns);
    for (const [key, row] of this.claimedKeys) context.claimedKeys.set(key, row);
    return context;
  }

  /** Records a name or word that matches nothing. */
  recordMissing(field: string, word: string): void {
    const missingNames = this.missing.get(field) ?? new Set();
    if (missingNames.size < maxMissing) this.missing.set(field, missingNames.add(word));
  }
}
