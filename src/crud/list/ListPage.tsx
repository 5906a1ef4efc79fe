import { useQueryClient } from '@tanstack/react-query';
import { ListBase, type RaRecord } from 'ra-core';
import { type ReactNode, useMemo } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filter';
import type { MoreBulk } from './BulkBar';
import { useColumns } from './columns';
import type { FacetMark } from './FacetBar';
import './list.css';
import { ListBody } from './ListBody';
import { defaultSort } from './sort';
import type { ListView } from './views';

export interface ListPageProps {
  entity: Entity;
  /** Other ways to look at the same rows, such as a map. They stand inside the list context: one filter for all. */
  views?: readonly ListView[];
  /** Always in force, and not shown as a chip. */
  filter?: Filters;
  /** Inside a tab: without page head, its state is not in the address. */
  embedded?: boolean;
  /** Where the button for a new row leads; `null` for none. */
  createPath?: string | null;
  /** Between the page head and the filters, such as the tabs of neighbouring lists. */
  tabs?: ReactNode;
  /** Which rows may be deleted at all, whoever asks. */
  isDeletable?: (row: RaRecord) => boolean;
  /** How the values counted above the list are drawn. */
  facetMark?: FacetMark;
  /** Further actions on chosen rows. */
  moreBulk?: MoreBulk;
}

/**
 * The list of an entity as declared: table or cards, search, filters, columns, selection, export. One request per page.
 */
export const ListPage = ({
  entity,
  views,
  filter,
  embedded = false,
  createPath = `/${entity.name}/create`,
  tabs,
  isDeletable,
  facetMark,
  moreBulk,
}: ListPageProps) => {
  const columns = useColumns(entity);
  const { queries } = useQueryClient().getDefaultOptions();
  const sort = useMemo(() => defaultSort(entity), [entity]);
  const queryOptions = useMemo(
    () => ({ meta: { include: columns.include }, retry: queries?.retry, onError: announcedElsewhere }),
    [columns.include, queries],
  );
  return (
    <ListBase
      resource={entity.name}
      filter={filter}
      sort={sort}
      perPage={10}
      exporter={false}
      queryOptions={queryOptions}
      disableSyncWithLocation={embedded}
      storeKey={embedded ? `${entity.name}.${JSON.stringify(filter)}.listParams` : undefined}
    >
      <ListBody
        entity={entity}
        columns={columns}
        views={views}
        embedded={embedded}
        createPath={createPath}
        tabs={tabs}
        isDeletable={isDeletable}
        facetMark={facetMark}
        moreBulk={moreBulk}
      />
    </ListBase>
  );
};

/** The query cache shows a toast for every failed question. */
const announcedElsewhere = () => undefined;
