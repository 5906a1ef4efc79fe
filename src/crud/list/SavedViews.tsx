import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify, useTranslate } from 'ra-core';
import { Suspense, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can, currentUser } from '../../providers/auth';
import { useConfirm } from '../../ui/ConfirmProvider';
import { Dropdown } from '../../ui/Dropdown';
import type { DropdownEntry } from '../../ui/DropdownPanel';
import { Icon } from '../../ui/Icon';
import { lazyPage } from '../../ui/lazyPage';
import type { Columns } from './columns';
import { type ListSnapshot, matchesView, type SavedView, viewValues } from './savedView';
import { useListSnapshot, useOpenView, useSavedViews } from './useSavedViews';

const SaveViewDialog = lazyPage(() => import('./SaveViewDialog'), 'SaveViewDialog');

/** The saved views of a list: opens, saves, edits and deletes them. */
export const SavedViews = ({
  entity,
  columns,
  ...layout
}: {
  entity: Entity;
  columns: Columns;
} & Pick<ListSnapshot, 'view' | 'by'>) => {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const provider = useDataProvider();
  const client = useQueryClient();
  const openView = useOpenView(entity, columns);
  const snapshot = useListSnapshot(columns, layout);
  const [isRequested, setRequested] = useState(false);
  const [dialogView, setDialogView] = useState<SavedView | 'new'>();
  const [openId, setOpenId] = useState<number>();
  const { data: views = [], isFetching, isError } = useSavedViews(entity, isRequested);
  if (!can('saved_views', 'list')) return null;
  const userId = currentUser()?.id;
  const current = views.find((view) => matchesView(entity, view, snapshot));
  const ownView = views.find(({ id, user_id }) => id === (current?.id ?? openId) && user_id === userId);

  const refresh = () => client.invalidateQueries({ queryKey: ['saved_views'] });
  const run = async (call: () => Promise<unknown>, toast: string) => {
    try {
      await call();
      notify(`resources.saved_views.${toast}`, { type: 'success' });
      await refresh();
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  const overwrite = (view: SavedView) =>
    run(
      () =>
        provider.update('saved_views', {
          id: view.id,
          data: { ...view, ...viewValues(entity, snapshot) },
          previousData: view,
        }),
      'changed',
    );
  const remove = async (view: SavedView) => {
    const isConfirmed = await confirm({
      title: translate('dialogs.delete_title', { name: view.name }),
      description: translate('dialogs.delete_text'),
      button: translate('dialogs.delete'),
    });
    if (isConfirmed) await run(() => provider.delete('saved_views', { id: view.id, previousData: view }), 'deleted');
  };
  const changeEntries = (): DropdownEntry[] => [
    { text: translate('views.save'), isDivided: true, run: () => setDialogView('new') },
    ...(ownView && !current
      ? [{ text: translate('views.overwrite', { name: ownView.name }), run: () => overwrite(ownView) }]
      : []),
    ...(ownView
      ? [
          { text: translate('views.edit', { name: ownView.name }), run: () => setDialogView(ownView) },
          { text: translate('views.delete', { name: ownView.name }), run: () => remove(ownView) },
        ]
      : []),
  ];
  return (
    <>
      <Dropdown
        title={translate('resources.saved_views.plural')}
        align="end"
        onOpen={() => setRequested(true)}
        entries={() => [
          ...views.map(
            (saved): DropdownEntry => ({
              text: saved.name,
              hint: saved.client_id || saved.role_id ? translate('views.shared') : undefined,
              role: 'menuitemradio',
              isChecked: saved.id === current?.id,
              run: () => {
                setOpenId(saved.id);
                openView(saved);
              },
            }),
          ),
          ...(views.length === 0
            ? [{ text: translate(isError ? 'errors.generic' : isFetching ? 'frame.loading' : 'views.none') }]
            : []),
          ...(can('saved_views', 'create') ? changeEntries() : []),
        ]}
      >
        <Icon name="bookmark" size={16} />
        <span className="sl-views-name">{current?.name ?? translate('views.title')}</span>
        <Icon name="down" size={16} />
      </Dropdown>
      {dialogView && (
        <Suspense fallback={null}>
          <SaveViewDialog
            view={dialogView === 'new' ? undefined : dialogView}
            onClose={() => setDialogView(undefined)}
            save={async (values) => {
              const listValues = dialogView === 'new' ? viewValues(entity, snapshot) : {};
              const data = { ...values, ...listValues };
              if (dialogView === 'new') setOpenId((await provider.create('saved_views', { data })).data.id);
              else
                await provider.update('saved_views', {
                  id: dialogView.id,
                  data: { ...dialogView, ...data },
                  previousData: dialogView,
                });
              notify(`resources.saved_views.${dialogView === 'new' ? 'added' : 'changed'}`, { type: 'success' });
              setDialogView(undefined);
              await refresh();
            }}
          />
        </Suspense>
      )}
    </>
  );
};
