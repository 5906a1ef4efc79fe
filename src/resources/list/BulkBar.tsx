import { useQueryClient } from '@tanstack/react-query';
import { type Identifier, useDataProvider, useListContext, useNotify, useTranslate } from 'ra-core';
import { type ReactNode, Suspense, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { formatNumber } from '../../i18n/format';
import { useConfirm } from '../../layout/ConfirmDialog';
import { Icon } from '../../layout/Icon';
import { lazyPage } from '../../layout/lazyPage';
import type { CallMeta, dataProvider } from '../../providers/data';
import { useCounted } from '../count';
import { useLanguage } from '../language';
import type { Columns } from './columns';
import { exportList, type FileFormat } from './export';
import type { BulkAction, Selection } from './selection';

const BulkEdit = lazyPage(() => import('./BulkEdit'), 'BulkEdit');

interface BulkBarProps {
  entity: Entity;
  columns: Columns;
  selection: Selection;
  actions: readonly BulkAction[];
  more?: MoreBulk;
}

/** Further actions on rows chosen one by one; `done` clears the choice and asks for the list again. */
export type MoreBulk = (chosen: { ids: readonly Identifier[]; done: () => Promise<void> }) => ReactNode;

/** Floats over the list while rows are chosen: how many, all that match, and what can be done with them. */
export const BulkBar = ({ entity, columns, selection, actions, more }: BulkBarProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const client = useQueryClient();
  const provider = useDataProvider<typeof dataProvider>();
  const { total = 0, data, sort } = useListContext();
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const inWords = useCounted();
  const counted = inWords(`resources.${entity.name}.counted`, selection.count);
  const chosen = inWords('bulk.selected', selection.count);
  const totalText = formatNumber(total, { language: useLanguage() });
  const meta: CallMeta = selection.everything ? { filter: selection.filter } : {};

  const run = async (act: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await act();
      notify(done, { type: 'success', messageArgs: { counted } });
      return true;
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const changed = async () => {
    selection.clear();
    await client.invalidateQueries({ queryKey: [entity.name] });
  };
  const remove = async () => {
    const question = {
      title: translate('bulk.delete_title', { counted }),
      description: translate('bulk.delete_text'),
      button: translate('bulk.delete_button', { counted }),
    };
    if (!(await confirm(question))) return;
    if (await run(() => provider.deleteMany(entity.name, { ids: [...selection.ids], meta }), 'toasts.bulk_deleted')) await changed();
  };
  const restore = async () => {
    if (await run(() => provider.restoreMany(entity.name, { ids: [...selection.ids], meta }), 'bin.bulk_restored')) await changed();
  };
  const purge = async () => {
    const question = {
      title: translate('bin.bulk_remove_title', { counted }),
      description: translate('bin.remove_text'),
      button: translate('bin.bulk_remove_button', { counted }),
    };
    if (!(await confirm(question))) return;
    if (await run(() => provider.purgeMany(entity.name, { ids: [...selection.ids], meta }), 'bin.bulk_removed')) await changed();
  };
  const save = (format: FileFormat) =>
    run(
      () => exportList(entity, { format, columns: columns.shown, sort, filter: selection.everything ? selection.filter : { id: selection.ids as number[] } }),
      'toasts.downloaded',
    );

  const everyRowOfPage = data?.every(({ id }) => selection.has(id)) === true;
  return (
    <section className="sl-bulk" aria-label={chosen}>
      <strong role="status">{selection.everything ? translate('bulk.all_selected', { total: totalText }) : chosen}</strong>
      {!selection.everything && everyRowOfPage && total > selection.count && (
        <button type="button" className="sl-text-button" onClick={selection.selectEverything}>
          {translate('bulk.select_all', { total: totalText })}
        </button>
      )}
      <span className="sl-bulk-actions">
        {actions.includes('edit') && (
          <button type="button" className="sl-button" disabled={busy} onClick={() => setEditing(true)}>
            <Icon name="edit" size={16} />
            {translate('bulk.edit')}
          </button>
        )}
        {actions.includes('restore') && (
          <button type="button" className="sl-button" disabled={busy} onClick={() => void restore()}>
            <Icon name="restore" size={16} />
            {translate('bin.restore')}
          </button>
        )}
        {!selection.everything && more?.({ ids: selection.ids, done: changed })}
        {actions.includes('export') && (
          <button type="button" className="sl-button" disabled={busy} onClick={() => save('csv')}>
            <Icon name="download" size={16} />
            {translate('bulk.export')}
          </button>
        )}
        {actions.includes('delete') && (
          <button type="button" className="sl-button sl-button-danger" disabled={busy} onClick={remove}>
            <Icon name="trash" size={16} />
            {translate('bulk.delete')}
          </button>
        )}
        {actions.includes('purge') && (
          <button type="button" className="sl-button sl-button-danger" disabled={busy} onClick={() => void purge()}>
            <Icon name="trash" size={16} />
            {translate('bin.remove')}
          </button>
        )}
      </span>
      <button type="button" className="sl-icon-button" aria-label={translate('bulk.clear')} title={translate('bulk.clear')} onClick={selection.clear}>
        <Icon name="close" size={18} />
      </button>
      {editing && (
        <Suspense fallback={null}>
          <BulkEdit entity={entity} counted={counted} ids={[...selection.ids]} meta={meta} onClose={() => setEditing(false)} onDone={changed} />
        </Suspense>
      )}
    </section>
  );
};
