import { type RaRecord, useListContext, useTranslate } from 'ra-core';
import { useRef } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { LoadingNotice } from '../../ui/LoadingNotice';
import type { ListPeek } from '../shared/peek';
import type { Columns } from './columns';
import { HeadCell } from './HeadCell';
import { handleRowKeys } from './keys';
import { ListRow } from './ListRow';
import type { LoadingReason } from './loadingReason';
import type { Selection } from './selection';
import { useCellEditing } from './useCellEditing';

export interface RowsProps {
  entity: Entity;
  columns: Columns;
  /** Absent if the user may not do anything with selected rows. */
  selection?: Selection;
  loadingReason: LoadingReason | undefined;
  /** Absent if rows cannot be opened beside the list. */
  peek: ListPeek | undefined;
}

/** The rows as a plain HTML table with sticky header and identity, sortable columns, and arrow keys. */
export const Table = ({ entity, columns, selection, loadingReason, peek }: RowsProps) => {
  const translate = useTranslate();
  const { data, perPage, filterValues } = useListContext<RaRecord>();
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = data ?? [];
  const selectedCount = rows.filter(({ id }) => selection?.has(id)).length;
  const isBin = filterValues.trashed === 'only';
  const cells = useCellEditing(entity, columns, { body, isOff: isBin });
  const extend = (row: HTMLTableRowElement) => {
    const record = recordOf(row);
    if (record) selection?.toggle(record.id, true);
  };
  const recordOf = (row: HTMLElement | null) => data?.find(({ id }) => String(id) === row?.dataset.id);
  const openPeek = (row: HTMLElement) => {
    const record = recordOf(row);
    if (record) peek?.open(record.id);
  };
  const movePeek = (row: HTMLElement | null) => {
    const record = recordOf(row);
    if (record && peek?.id !== undefined) peek.open(record.id);
  };
  // If every column has a width, the table is as wide as its columns together.
  const isSized = columns.visible.every(({ name }) => columns.widths[name] !== undefined);
  return (
    <div className="sl-table-area" aria-busy={loadingReason !== undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="sl-table-scroll" tabIndex={0} aria-label={translate(`resources.${entity.name}.plural`)}>
        <table className="sl-table" data-sized={isSized}>
          <thead>
            <tr>
              {selection && (
                <th className="sl-tick" scope="col">
                  <input
                    type="checkbox"
                    aria-label={translate('list.select_page')}
                    disabled={rows.length === 0}
                    checked={selectedCount > 0 && selectedCount === rows.length}
                    ref={(box) => {
                      if (box) box.indeterminate = selectedCount > 0 && selectedCount < rows.length;
                    }}
                    onChange={selection.togglePage}
                  />
                </th>
              )}
              {columns.visible.map((column) => (
                <HeadCell
                  key={column.name}
                  entity={entity}
                  column={column}
                  width={columns.widths[column.name]}
                  onResize={columns.resize}
                />
              ))}
              {isBin && <th scope="col">{translate('list.actions')}</th>}
            </tr>
          </thead>
          <tbody
            ref={body}
            onKeyDown={(event) =>
              handleRowKeys(event, {
                edit: cells.edit,
                extend,
                peek: openPeek,
                closePeek: () => peek?.close() ?? false,
              })
            }
            onFocus={({ target }) => movePeek(target.closest('tr'))}
            onDoubleClick={cells.onDoubleClick}
            onClick={cells.onClick}
            data-dimmed={loadingReason !== undefined && data !== undefined}
          >
            {data
              ? data.map((record, index) => (
                  <ListRow
                    key={record.id}
                    entity={entity}
                    columns={columns}
                    record={record}
                    selected={selection?.has(record.id) ?? false}
                    current={record.id === peek?.id}
                    onToggle={selection?.toggle}
                    isTabStop={index === 0}
                    bin={isBin}
                    editable={cells.editable}
                    refusedColumns={cells.refusedColumns.get(String(record.id))}
                  />
                ))
              : rowNumbers(perPage).map((number) => (
                  <SkeletonRow key={number} isSelectable={selection !== undefined} columns={columns.visible.length} />
                ))}
          </tbody>
        </table>
      </section>
      {loadingReason && <LoadingNotice what={loadingReason} />}
      {cells.element}
    </div>
  );
};

const SkeletonRow = ({ isSelectable, columns }: { isSelectable: boolean; columns: number }) => (
  <tr className="sl-skeleton-row">
    {isSelectable && <td className="sl-tick" />}
    {rowNumbers(columns).map((number) => (
      <td key={number}>
        <span className="sl-skeleton" aria-hidden="true" />
      </td>
    ))}
  </tr>
);

/** React keys 1 to `count`, for items that have no identity but their index. */
export const rowNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
