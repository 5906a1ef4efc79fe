import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify, useTranslate } from 'ra-core';
import { Suspense, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can, currentUser } from '../../providers/auth';
import { useConfirm } from '../../ui/ConfirmDialog';
import { Dropdown, MenuItem } from '../../ui/Dropdown';
import { Icon } from '../../ui/Icon';
import { lazyPage } from '../../ui/lazyPage';
import type { Columns } from './columns';
import { keptOf, matchesView, type SavedView } from './savedView';
import { useOpenView, useSavedViews, useStanding } from './useSavedViews';

const SaveViewDialog = lazyPage(() => import('./SaveViewDialog'), 'SaveViewDialog');

/** The saved views of a list: opens, saves, edits and deletes them. */
export const SavedViews = ({
  entity,
  columns,
  view,
}: {
  entity: Entity;
  columns: Columns;
  view: string | undefined;
}) => {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const provider = useDataProvider();
  const client = useQueryClient();
  const openView = useOpenView(entity, columns);
  const standing = useStanding(columns, view);
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState<SavedView | 'new'>();
  const [opened, setOpened] = useState<number>();
  const { data: views = [], isFetching, isError } = useSavedViews(entity, asked);
  if (!can('saved_views', 'list')) return null;
  const mine = currentUser()?.id;
  const current = views.find((saved) => matchesView(entity, saved, standing));
  const own = views.find(({ id, user_id }) => id === (current?.id ?? opened) && user_id === mine);

  const again = () => client.invalidateQueries({ queryKey: ['saved_views'] });
  const act = async (call: () => Promise<unknown>, done: string) => {
    try {
      await call();
      notify(`resources.saved_views.${done}`, { type: 'success' });
      await again();
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
  const remove = async (saved: SavedView) => {
    const answer = await confirm({
      title: translate('dialogs.delete_title', { name: saved.name }),
      description: translate('dialogs.delete_text'),
      button: translate('dialogs.delete'),
    });
    if (answer) await act(() => provider.delete('saved_views', { id: saved.id, previousData: saved }), 'deleted');
  };
  return (
    <>
      <Dropdown
        title={translate('resources.saved_views.plural')}
        align="end"
        onOpen={() => setAsked(true)}
        panel={(close) => {
          const line = (text: string, run: () => void, pressed?: boolean, hint?: string) => (
            <MenuItem
              pressed={pressed}
              onClick={() => {
                close();
                run();
              }}
            >
              <span className="sl-menu-text">{text}</span>
              {hint && <span className="sl-menu-hint">{hint}</span>}
            </MenuItem>
          );
          return (
            <>
              <ul className="sl-menu" aria-busy={isFetching}>
                {views.map((saved) => (
                  <li key={saved.id}>
                    {line(
                      saved.name,
                      () => {
                        setOpened(saved.id);
                        openView(saved);
                      },
                      saved.id === current?.id,
                      saved.client_id || saved.role_id ? translate('views.shared') : undefined,
                    )}
                  </li>
                ))}
                {views.length === 0 && (
                  <li className="sl-menu-note">
                    {translate(isError ? 'errors.generic' : isFetching ? 'frame.loading' : 'views.none')}
                  </li>
                )}
              </ul>
              {can('saved_views', 'create') && (
                <ul className="sl-menu sl-menu-further">
                  <li>{line(translate('views.save'), () => setSaving('new'))}</li>
                  {own && !current && (
                    <li>
                      {line(translate('views.overwrite', { name: own.name }), () =>
                        act(
                          () =>
                            provider.update('saved_views', {
                              id: own.id,
                              data: { ...own, ...keptOf(entity, standing) },
                              previousData: own,
                            }),
                          'changed',
                        ),
                      )}
                    </li>
                  )}
                  {own && <li>{line(translate('views.edit', { name: own.name }), () => setSaving(own))}</li>}
                  {own && <li>{line(translate('views.delete', { name: own.name }), () => remove(own))}</li>}
                </ul>
              )}
            </>
          );
        }}
      >
        <Icon name="bookmark" size={16} />
        <span className="sl-views-name">{current?.name ?? translate('views.title')}</span>
        <Icon name="down" size={16} />
      </Dropdown>
      {saving && (
        <Suspense fallback={null}>
          <SaveViewDialog
            view={saving === 'new' ? undefined : saving}
            onClose={() => setSaving(undefined)}
            save={async (values) => {
              const kept = saving === 'new' ? keptOf(entity, standing) : {};
              const data = { ...values, ...kept };
              if (saving === 'new') setOpened((await provider.create('saved_views', { data })).data.id);
              else
                await provider.update('saved_views', {
                  id: saving.id,
                  data: { ...saving, ...data },
                  previousData: saving,
                });
              notify(`resources.saved_views.${saving === 'new' ? 'added' : 'changed'}`, { type: 'success' });
              setSaving(undefined);
              await again();
            }}
          />
        </Suspense>
      )}
    </>
  );
};
