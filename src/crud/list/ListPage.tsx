import { type QueryObserverOptions, useQueryClient } from '@tanstack/react-query';
import { ListBase } from 'ra-core';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filters';
import { isServerAway } from '../../providers/http';
import { isServerReachable } from '../../providers/reachability';
import { usePathOf } from '../shared/paths';
import type { RenderBulkActions } from './BulkBar';
import { useColumns } from './columns';
import type { FacetMark } from './FacetBar';
import './list.css';
import { defaultSort } from '../shared/defaultSort';
import { ListBody } from './ListBody';
import { PageErrorBoundary, throwsOnPage } from './PageErrorBoundary';
import type { ListView } from './useListView';

/** How a list is embedded; by default it is a page of its own. */
export interface ListEmbedding {
  /** Inside a tab: without page head, and with its state outside the URL. */
  embedded?: boolean;
  /** Keeps the state in the URL and binds the shortcut for a new row, even if embedded. */
  syncsAddress?: boolean;
}

/** The page of an entity's list. */
export type ListComponent = ComponentType<ListEmbedding & { entity: Entity }>;

export interface ListPageProps extends ListEmbedding {
  entity: Entity;
  /** Other layouts of the same rows, such as a map. They share the list context with its filters. */
  views?: readonly ListView[];
  /** Permanent filter, which has no chip. */
  filter?: Filters;
  /**
   * Target of the button for a new row; default: the create form with the values of `filter`. `null` hides the button.
   */
  createPath?: string | null;
  /** Content between the page head and the filters, such as tabs for related lists. */
  tabs?: ReactNode;
  /** Renderer of facet values. */
  facetMark?: FacetMark;
  /** Further actions on selected rows. */
  moreBulk?: RenderBulkActions;
}

/**
 * The list of an entity as declared: table or cards, search, filters, columns, selection, export. One request per page
 * of rows.
 */
export const ListPage = ({
  entity,
  views,
  filter,
  embedded = false,
  syncsAddress = !embedded,
  createPath,
  tabs,
  facetMark,
  moreBulk,
}: ListPageProps) => {
  const pathOf = usePathOf();
  const columns = useColumns(entity);
  const { queries } = useQueryClient().getDefaultOptions();
  const sort = useMemo(() => defaultSort(entity), [entity]);
  const queryOptions = useMemo(
    () => ({
      meta: { include: columns.include },
      retry: retryUnlessRefused(queries?.retry),
      throwOnError: throwsOnPage,
      onError: ignoreError,
    }),
    [columns.include, queries],
  );
  return (
    <PageErrorBoundary entity={entity} embedded={embedded}>
      <ListBase
        resource={entity.name}
        filter={filter}
        sort={sort}
        perPage={10}
        exporter={false}
        queryOptions={queryOptions}
        disableSyncWithLocation={!syncsAddress}
        storeKey={embedded ? `${entity.name}.${JSON.stringify(filter)}.listParams` : undefined}
      >
        <ListBody
          entity={entity}
          columns={columns}
          views={views}
          embedded={embedded}
          syncsAddress={syncsAddress}
          createPath={createPath === undefined ? pathOf(entity.name, 'create') + sourceOf(entity, filter) : createPath}
          tabs={tabs}
          facetMark={facetMark}
          moreBulk={moreBulk}
        />
      </ListBase>
    </PageErrorBoundary>
  );
};

/**
 * Initial values of a new row from the list's filter, as a query string for `CreatePage`: only fields that a form sets.
 */
function sourceOf(entity: Entity, filter: Filters = {}): string {
  const values = Object.entries(filter).filter(([name]) => entity.fields[name] && entity.fields[name].write !== false);
  return values.length === 0 ? '' : `?source=${encodeURIComponent(JSON.stringify(Object.fromEntries(values)))}`;
}

/** Retries as long as the server is unreachable. Meanwhile the list shows the rows of the previous page. */
const retryUnlessRefused =
  (retry: RetryValue<Error>) =>
  (failures: number, error: Error): boolean =>
    (isServerAway(error) && !isServerReachable()) || (typeof retry === 'function' && retry(failures, error));

type RetryValue<E> = QueryObserverOptions<unknown, E>['retry'];

/** Ignored here: the query cache shows a toast for every failed request. */
const ignoreError = () => undefined;
