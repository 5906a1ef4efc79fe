import { useListContext, useTranslate } from 'ra-core';
import { type ReactNode, Suspense, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { formatNumber } from '../../i18n/format';
import { type BulkTarget, deleteMany, purgeMany, restoreMany, type Undo } from '../../providers/bulk';
import { useConfirm } from '../../ui/ConfirmProvider';
import { Icon, type IconName } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { lazyPage } from '../../ui/lazyPage';
import { isAssignable, movesOf } from '../bulk/assignable';
import type { BulkWork, RunBulk, useBulk } from '../bulk/useBulk';
import { isDeletable, removalTextsOf } from '../shared/removalTexts';
import { useCountText } from '../shared/useCountText';
import { useLanguage } from '../shared/useLanguage';
import type { Columns } from './columns';
import type { BulkAction, Selection } from './selection';

const BulkEdit = lazyPage(() => import('./BulkEdit'), 'BulkEdit');
const MoveRows = lazyPage(() => import('../bulk/MoveRows'), 'MoveRows');
const ExportDialog = lazyPage(() => import('./ExportDialog'), 'ExportDialog');
const AssignRows = lazyPage(() => import('../bulk/AssignRows'), 'AssignRows');

interface BulkBarProps {
  entity: Entity;
  columns: Columns;
  selection: Selection;
  actions: readonly BulkAction[];
  bulk: ReturnType<typeof useBulk>;
  more?: RenderBulkActions;
}

/** Renders further actions on the selected rows. */
export type RenderBulkActions = (bulk: { target: BulkTarget; run: RunBulk; clearSelection: () => void }) => ReactNode;

/** Floats over the list while rows are selected. Shows their number, "select all" and the actions. */
export const BulkBar = ({ entity, columns, selection, actions, bulk, more }: BulkBarProps) => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const { total = 0, data, sort } = useListContext();
  const [open, setOpen] = useState<'edit' | 'move' | 'assign' | 'export'>();
  const countText = useCountText();
  const rowsText = countText(`resources.${entity.name}.counted`, selection.count);
  const selectedText = countText('bulk.selected', selection.count);
  const totalText = formatNumber(total, { language: useLanguage() });
  const target: BulkTarget = {
    ids: selection.ids,
    count: selection.count,
    ...(selection.isAllMatching && { filter: selection.filter }),
  };
  const words = removalTextsOf(entity);
  const targetOf = ({ ids = [] }: Undo): BulkTarget => ({ ids, count: ids.length });

  const run = async (work: BulkWork) => {
    if (await bulk.run(work)) selection.clear();
  };
  const remove = async () => {
    const { title, text, button, toast } = words.many;
    if (
      !(await confirm({
        title: translate(title, { counted: rowsText }),
        description: translate(text),
        button: translate(button, { counted: rowsText }),
      }))
    )
      return;
    await run({
      send: (onProgress) => deleteMany(entity, target, onProgress),
      resultText: toast,
      undo: (result, onProgress) => restoreMany(entity, targetOf(result.undo ?? {}), onProgress),
    });
  };
  const restore = () =>
    run({
      send: (onProgress) => restoreMany(entity, target, onProgress),
      resultText: words.bin.manyRestored,
      undo: (result, onProgress) => deleteMany(entity, targetOf(result.undo ?? {}), onProgress),
    });
  const purge = async () => {
    const question = {
      title: translate('bin.bulk_remove_title', { counted: rowsText }),
      description: translate('bin.remove_text'),
      button: translate('bin.bulk_remove_button', { counted: rowsText }),
    };
    if (await confirm(question))
      await run({ send: (onProgress) => purgeMany(entity, target, onProgress), resultText: 'bin.bulk_removed' });
  };
  const button = (icon: IconName, label: string, onClick: () => unknown, isDanger = false) => (
    <button
      type="button"
      className={isDanger ? 'sl-button sl-button-danger' : 'sl-button'}
      disabled={bulk.isBusy}
      onClick={() => void onClick()}
    >
      <Icon name={icon} size={16} />
      {translate(label)}
    </button>
  );
  const isWholePageSelected = data?.every(({ id }) => selection.has(id)) === true;
  const mayEdit = actions.includes('edit');
  // The server checks rows on other pages and names the rejected ones.
  const mayDelete =
    actions.includes('delete') && (data ?? []).every((row) => !selection.has(row.id) || isDeletable(entity, row));
  const dialog = { entity, target, run: bulk.run, onClose: () => setOpen(undefined), onDone: selection.clear };
  return (
    <section className="sl-bulk" aria-label={selectedText}>
      <strong role="status">
        {selection.isAllMatching ? translate('bulk.all_selected', { total: totalText }) : selectedText}
      </strong>
      <IconButton icon="close" label={translate('bulk.clear')} onClick={selection.clear} />
      {!selection.isAllMatching && isWholePageSelected && total > selection.count && (
        <button type="button" className="sl-text-button" onClick={selection.selectAllMatching}>
          {translate('bulk.select_all', { total: totalText })}
        </button>
      )}
      <span className="sl-bulk-actions">
        {mayEdit && button('edit', 'bulk.edit', () => setOpen('edit'))}
        {mayEdit && movesOf(entity).length > 0 && button('move', 'many.move', () => setOpen('move'))}
        {!actions.includes('restore') &&
          isAssignable(entity) &&
          button('users', entity.name === 'users' ? 'many.assign' : 'many.assign_users', () => setOpen('assign'))}
        {actions.includes('restore') && button('restore', words.bin.restore, restore)}
        {!actions.includes('restore') && more?.({ target, run: bulk.run, clearSelection: selection.clear })}
        {actions.includes('export') && button('download', 'bulk.export', () => setOpen('export'))}
        {mayDelete && button(words.icon, words.many.label, remove, true)}
        {actions.includes('purge') && button('trash', 'bin.remove', purge, true)}
      </span>
      <Suspense fallback={null}>
        {open === 'edit' && <BulkEdit {...dialog} />}
        {open === 'move' && <MoveRows {...dialog} />}
        {open === 'assign' && <AssignRows {...dialog} />}
        {open === 'export' && (
          <ExportDialog
            entity={entity}
            columns={columns.visible}
            widths={columns.widths}
            sort={sort}
            filter={
              selection.isAllMatching
                ? selection.filter
                : { ...trashedFilter(selection.filter), id: selection.ids as number[] }
            }
            count={selection.count}
            onClose={dialog.onClose}
          />
        )}
      </Suspense>
    </section>
  );
};

/** The filter `trashed` alone: without it, the export would not find the selected rows of the bin. */
const trashedFilter = ({ trashed }: Selection['filter']): Selection['filter'] =>
  trashed === undefined ? {} : { trashed };
