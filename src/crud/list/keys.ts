/** Keyboard navigation in a table: between rows, and between editable cells. */
import type { KeyboardEvent } from 'react';

export interface RowActions {
  /** Opens the input of a cell. */
  edit: (cell: HTMLElement) => void;
  /** Selects the range from the last selected row to this one. */
  extend: (row: HTMLTableRowElement) => void;
  /** Opens the record beside the list. */
  peek: (row: HTMLTableRowElement) => void;
  /** Closes the record beside the list; false if none is open. */
  closePeek: () => boolean;
}

export const cellOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof HTMLElement ? target.closest<HTMLElement>('[data-cell]') : null;
export const cellsIn = (container: ParentNode): HTMLElement[] => [
  ...container.querySelectorAll<HTMLElement>('[data-cell]'),
];

/** Handles a key pressed in a table. On controls inside a row, only the keys that move between rows work. */
export function handleRowKeys(
  event: KeyboardEvent<HTMLTableSectionElement | HTMLTableElement>,
  { edit, extend, peek, closePeek }: RowActions,
): void {
  const target = event.target as HTMLElement;
  const row = target.closest('tr');
  if (!row) return;
  const cell = target.matches('[data-cell]') ? target : undefined;
  const isRowOrCell = target === row || cell !== undefined;
  // Skips rows that cannot have the focus: the head of the table, and buttons for more rows of a group.
  const rows = [...event.currentTarget.rows].filter((other) => other === row || other.hasAttribute('tabindex'));
  const index = rows.indexOf(row);
  const targetRow = { ArrowDown: rows[index + 1], ArrowUp: rows[index - 1], Home: rows[0], End: rows.at(-1) }[
    event.key
  ];
  if (targetRow) {
    if (event.shiftKey && isRowOrCell) {
      extend(row);
      extend(targetRow);
    }
    (cell
      ? (cellsIn(targetRow).find(({ dataset }) => dataset.cell === cell.dataset.cell) ?? targetRow)
      : targetRow
    ).focus();
  } else if (!isRowOrCell) return;
  else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    const cells = cellsIn(row);
    const next =
      event.key === 'ArrowRight'
        ? cells[cell ? cells.indexOf(cell) + 1 : 0]
        : cell
          ? (cells[cells.indexOf(cell) - 1] ?? row)
          : undefined;
    next?.focus();
  } else if (event.key === 'F2' || (event.key === 'Enter' && cell)) {
    const first = cell ?? cellsIn(row)[0];
    if (first) edit(first);
  } else if (event.key === 'Escape' && cell) row.focus();
  else if (event.key === 'Enter') row.querySelector('a')?.click();
  else if (event.key === 'Escape' && closePeek()) row.focus();
  else if (event.key === ' ') peek(row);
  else if (event.key === 'x' && !event.ctrlKey && !event.metaKey && !event.altKey)
    row.querySelector<HTMLElement>('input[type=checkbox]')?.click();
  else return;
  event.preventDefault();
}
