import { useListContext, useTranslate } from 'ra-core';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { useIsServerReachable } from '../../providers/reachability';
import { Icon } from '../../ui/Icon';
import { useKey } from '../../ui/keys';
import { lazyPage } from '../../ui/lazyPage';
import { PageHead } from '../../ui/PageHead';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { useIsMobile } from '../../ui/useIsMobile';
import { useBulk } from '../bulk/useBulk';
import { rememberList } from '../shared/lastList';
import { PeekContext } from '../shared/peek';
import { useCountText } from '../shared/useCountText';
import type { RenderBulkActions } from './BulkBar';
import { Cards } from './Cards';
import { type Columns, withFiltered } from './columns';
import { FacetBar, type FacetMark } from './FacetBar';
import { FilterRow } from './FilterRow';
import { ListMenu } from './ListMenu';
import { ListMissing } from './ListMissing';
import { useLoadingReason } from './loadingReason';
import { Pages } from './Pages';
import { SavedViews } from './SavedViews';
import { bulkActionsOf, useSelection } from './selection';
import { Table } from './Table';
import { useGrouping } from './useGrouping';
import { useListPeek } from './useListPeek';
import { type ListView, useListView } from './useListView';
import { useDefaultView, useNamedView } from './useSavedViews';

const BulkBar = lazyPage(() => import('./BulkBar'), 'BulkBar');
const GroupedRows = lazyPage(() => import('./GroupedRows'), 'GroupedRows');

interface ListBodyProps {
  entity: Entity;
  columns: Columns;
  views?: readonly ListView[];
  embedded: boolean;
  syncsAddress: boolean;
  createPath: string | null;
  tabs?: ReactNode;
  facetMark?: FacetMark;
  moreBulk?: RenderBulkActions;
}

/** The content of a list page; must be inside the list context. */
export const ListBody = ({
  entity,
  columns: columnSet,
  views,
  embedded,
  syncsAddress,
  createPath,
  tabs,
  facetMark,
  moreBulk,
}: ListBodyProps) => {
  const translate = useTranslate();
  const countText = useCountText();
  const isMobile = useIsMobile();
  const { data, total, error, isPending, filterValues, filter, sort, page, perPage } = useListContext();
  const columns = useMemo(() => withFiltered(columnSet, filterValues), [columnSet, filterValues]);
  useEffect(() => {
    if (data && total !== undefined)
      rememberList(entity.name, {
        ids: data.map(({ id }) => id),
        page,
        perPage,
        total,
        filter: { ...filterValues, ...filter },
        sort,
      });
  }, [entity, data, total, page, perPage, filterValues, filter, sort]);
  useDefaultView(entity, columnSet, embedded);
  useNamedView(entity, columnSet, embedded);
  useListKeys(syncsAddress ? createPath : null, entity);
  const selection = useSelection();
  const bulk = useBulk(entity);
  const actions = bulkActionsOf(entity, filterValues.trashed === 'only');
  const loadingReason = useLoadingReason();
  const [compact, setCompact] = useState(false);
  const [view, chooseView] = useListView(views);
  const layout = views?.find(({ name }) => name === view);
  const grouping = useGrouping(entity, syncsAddress);
  const { by } = grouping;
  const { peek, element: peekPanel } = useListPeek(entity, { isView: layout !== undefined || by !== undefined });
  // Waits for rows from the offline store, which arrive with a short delay.
  const isWaiting = useDebouncedValue(!useIsServerReachable(), 500) && isPending;
  const hasFailed = !data && (error || isWaiting);
  const missingReason = hasFailed ? 'error' : !isPending && data?.length === 0 ? 'rows' : undefined;
  const Rows = isMobile ? Cards : Table;

  const primary = createPath !== null && can(entity.name, 'create') && (
    <Link className="sl-button sl-button-primary" to={createPath}>
      <Icon name="plus" size={16} />
      {translate(`resources.${entity.name}.add`)}
    </Link>
  );
  const menu = (
    <>
      {!embedded && entity.name !== 'saved_views' && (
        <SavedViews entity={entity} columns={columnSet} view={view} by={by} />
      )}
      <ListMenu entity={entity} columns={columns} compact={compact} onCompact={setCompact} />
    </>
  );
  const rows = {
    entity,
    columns,
    selection: actions.length > 0 ? selection : undefined,
    loadingReason,
    peek,
  };
  const count = total === undefined ? undefined : countText('list.count', total);
  return (
    <div className="sl-list" data-compact={compact} data-peeking={peek?.id !== undefined}>
      {embedded ? (
        <div className="sl-list-head">
          <span className="sl-page-count" role="status">
            {count}
          </span>
          <div className="sl-page-actions">
            {menu}
            {primary}
          </div>
        </div>
      ) : (
        <PageHead
          title={translate(`resources.${entity.name}.plural`)}
          count={count}
          primary={primary || undefined}
          menu={menu}
        />
      )}
      {tabs}
      <FilterRow entity={entity} views={views} view={view} onView={chooseView} grouping={grouping} />
      {!embedded && entity.list.facets.length > 0 && <FacetBar entity={entity} mark={facetMark} />}
      {layout && <PeekContext.Provider value={peek}>{layout.element}</PeekContext.Provider>}
      {!layout && missingReason && <ListMissing entity={entity} reason={missingReason} createPath={createPath} />}
      {!layout && !missingReason && by === undefined && <Rows {...rows} />}
      {!layout && !missingReason && by !== undefined && (
        <Suspense fallback={null}>
          <GroupedRows key={by} {...rows} by={by} />
        </Suspense>
      )}
      {!layout && !missingReason && by === undefined && <Pages />}
      {actions.length > 0 && selection.count > 0 && (
        <Suspense fallback={null}>
          <BulkBar
            entity={entity}
            columns={columns}
            selection={selection}
            actions={actions}
            bulk={bulk}
            more={moreBulk}
          />
        </Suspense>
      )}
      {bulk.element}
      {peekPanel}
    </div>
  );
};

/** Shortcuts of a list: "n" opens the form for a new row, "/" focuses the search. */
function useListKeys(createPath: string | null, entity: Entity): void {
  const navigate = useNavigate();
  useKey('n', createPath !== null && can(entity.name, 'create') ? () => navigate(createPath) : undefined);
  useKey('/', () => document.querySelector<HTMLInputElement>('.sl-list-search input')?.focus());
}
