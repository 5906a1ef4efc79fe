import { type Identifier, type RaRecord, useListContext, useNotify, useTranslate } from 'ra-core';
import { type MouseEvent, type ReactNode, type RefObject, Suspense, useMemo, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { lazyPage } from '../../ui/lazyPage';
import type { Columns } from './columns';
import './cells.css';
import { editableCells } from './editableCells';
import { cellOf, cellsIn } from './keys';
import { useSaveCell } from './useSaveCell';

const MergeDialog = lazyPage(() => import('../record/MergeDialog'), 'MergeDialog');
const CellEditor = lazyPage(() => import('./CellEditor'), 'CellEditor');

interface Editing {
  cell: HTMLElement;
  record: RaRecord;
  source: string;
  refusal?: Refusal;
}

interface Refusal {
  value: unknown;
  problem: string;
}

interface Conflict {
  record: RaRecord;
  source: string;
  value: unknown;
  theirs: RaRecord;
}

export interface CellEditing {
  /** Names of the columns with editable cells. */
  editable: ReadonlySet<string>;
  edit: (cell: HTMLElement) => void;
  onDoubleClick: (event: MouseEvent) => void;
  onClick: (event: MouseEvent) => void;
  /** Columns with a rejected value, by row id. */
  refusedColumns: ReadonlyMap<Identifier, string>;
  element: ReactNode;
}

const noColumns: ReadonlySet<string> = new Set();

/** Width of the pencil at the end of a cell, in pixels. */
const pencilWidth = 28;

/** State and handlers for editing single cells in place. */
export function useCellEditing(
  entity: Entity,
  columns: Columns,
  { body, isOff }: { body: RefObject<HTMLTableSectionElement | null>; isOff: boolean },
): CellEditing {
  const translate = useTranslate();
  const notify = useNotify();
  const { data = [] } = useListContext<RaRecord>();
  const saveCell = useSaveCell(entity, columns.include);
  const editable = useMemo(() => (isOff ? noColumns : editableCells(entity)), [entity, isOff]);
  const [editing, setEditing] = useState<Editing>();
  const latestEditing = useRef(editing);
  latestEditing.current = editing;
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusal>>(new Map());
  const [conflict, setConflict] = useState<Conflict>();

  const edit = (cell: HTMLElement) => {
    const id = cell.closest('tr')?.dataset.id;
    const record = data.find((row) => String(row.id) === id);
    const source = cell.dataset.cell;
    if (record && source) setEditing({ cell, record, source, refusal: refusals.get(keyOf(record, source)) });
  };
  const close = (focus?: HTMLElement) => {
    setEditing(undefined);
    focus?.focus();
  };

  const saveChange = async (change: Omit<Conflict, 'theirs'> & { theirs?: RaRecord }) => {
    const { record, source, value } = change;
    const key = keyOf(record, source);
    setRefusals((entries) => new Map([...entries].filter(([other]) => other !== key)));
    const saveResult = await saveCell(change);
    if (saveResult?.theirs) setConflict({ record, source, value, theirs: saveResult.theirs });
    if (saveResult?.problem === undefined) return;
    const refusal = { value, problem: translate(saveResult.problem, { _: saveResult.problem }) };
    setRefusals((entries) => new Map([...entries, [key, refusal]]));
    // Reopens the cell, unless the user is already editing another one.
    const cell = cellAt(body.current, record, source);
    if (cell && !latestEditing.current) setEditing({ cell, record, source, refusal });
    else notify(refusal.problem, { type: 'error' });
  };
  const closeEditor = (
    { cell, record, source }: Editing,
    { value, isChanged, direction }: { value: unknown; isChanged: boolean; direction?: 1 | -1 },
  ) => {
    if (isChanged) void saveChange({ record, source, value });
    const cells = body.current ? cellsIn(body.current) : [];
    const next = direction && cells[cells.indexOf(cell) + direction];
    close(next ? undefined : cell);
    if (next) {
      next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      edit(next);
    }
  };
  const refusedColumns = useMemo(() => {
    const problems = new Map<Identifier, string>();
    for (const key of refusals.keys()) {
      const [id = '', source = ''] = key.split(' ');
      problems.set(id, `${problems.get(id) ?? ''} ${source}`);
    }
    return problems;
  }, [refusals]);

  const element = (
    <>
      {editing && (
        <Suspense fallback={null}>
          <CellEditor
            key={keyOf(editing.record, editing.source)}
            entity={entity}
            record={editing.record}
            source={editing.source}
            cell={editing.cell}
            refusal={editing.refusal}
            onSave={(value, isChanged, direction) => closeEditor(editing, { value, isChanged, direction })}
            onCancel={() => close(editing.cell)}
          />
        </Suspense>
      )}
      {conflict && (
        <Suspense fallback={null}>
          <MergeDialog
            entity={entity}
            names={[conflict.source]}
            base={conflict.record}
            mine={{ [conflict.source]: conflict.value }}
            theirs={conflict.theirs}
            onSave={(theirFields) => {
              setConflict(undefined);
              if (!theirFields.includes(conflict.source)) void saveChange(conflict);
            }}
            onClose={() => setConflict(undefined)}
          />
        </Suspense>
      )}
    </>
  );
  return {
    editable,
    edit,
    onDoubleClick: ({ target }) => openOnDoubleClick(target, edit),
    onClick: (event) => {
      const cell = event.target as HTMLElement;
      if (cell.matches('td[data-cell]') && cell.getBoundingClientRect().right - event.clientX < pencilWidth) edit(cell);
    },
    refusedColumns,
    element,
  };
}

const keyOf = ({ id }: RaRecord, source: string) => `${id} ${source}`;
const cellAt = (body: HTMLElement | null, { id }: RaRecord, source: string) =>
  body?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(String(id))}"] [data-cell="${source}"]`) ?? undefined;

/** Opens the editor on a double click, except on a link, which the first click has followed. */
function openOnDoubleClick(target: EventTarget, edit: (cell: HTMLElement) => void): void {
  const cell = cellOf(target);
  if (cell && !(target as HTMLElement).closest('a, button, input')) edit(cell);
}
