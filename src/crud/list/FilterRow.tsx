import { useListContext, useTranslate } from 'ra-core';
import { Suspense, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { flattenFilters } from '../../providers/filters';
import { Icon } from '../../ui/Icon';
import { lazyPage } from '../../ui/lazyPage';
import { GroupMenu } from './GroupMenu';
import { SearchBox } from './SearchBox';
import { useClearFilters } from './useClearFilters';
import type { ListGrouping } from './useGrouping';
import type { ListView } from './useListView';

const FilterChips = lazyPage(() => import('./FilterChips'), 'FilterChips');
const FilterDialog = lazyPage(() => import('../filter/FilterDialog'), 'FilterDialog');

interface FilterRowProps {
  entity: Entity;
  views?: readonly ListView[];
  view: string | undefined;
  onView: (name: string | undefined) => void;
  grouping: ListGrouping;
}

/**
 * Search, filter dialog, grouping, choice of layout, and chips of active filters. The chips are in a row of their own,
 * so that they move none of the controls. The search has no chip, since its box can clear it.
 */
export const FilterRow = ({ entity, views, view, onView, grouping }: FilterRowProps) => {
  const translate = useTranslate();
  const { filterValues, setFilters } = useListContext();
  const clear = useClearFilters();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<{ at?: number }>();
  const filters = flattenFilters(filterValues);
  const isFiltered = Object.keys(filters).some((name) => name !== 'search');
  return (
    <div className="sl-filters">
      <SearchBox entity={entity} />
      <button ref={button} type="button" className="sl-button" aria-haspopup="dialog" onClick={() => setOpen({})}>
        <Icon name="filter" size={16} />
        {translate('filters.open')}
      </button>
      {view === undefined && <GroupMenu entity={entity} {...grouping} />}
      {views && (
        <fieldset className="sl-views">
          <legend className="sl-hidden">{translate('list.view')}</legend>
          <button type="button" aria-pressed={view === undefined} onClick={() => onView(undefined)}>
            <Icon name="table" size={16} />
            {translate('list.table')}
          </button>
          {views.map(({ name, label, icon }) => (
            <button key={name} type="button" aria-pressed={view === name} onClick={() => onView(name)}>
              {icon && <Icon name={icon} size={16} />}
              {label}
            </button>
          ))}
        </fieldset>
      )}
      {isFiltered && (
        <div className="sl-filters-active">
          <Suspense fallback={null}>
            <FilterChips
              entity={entity}
              filters={filters}
              onChange={(index) => setOpen({ at: index })}
              onRemoved={() => button.current?.focus()}
            />
          </Suspense>
          <button
            type="button"
            className="sl-text-button"
            onClick={() => {
              clear();
              button.current?.focus();
            }}
          >
            {translate('filters.clear')}
          </button>
        </div>
      )}
      {open && (
        <Suspense fallback={null}>
          <FilterDialog
            entity={entity}
            filters={filters}
            at={open.at}
            onApply={(next) => {
              setOpen(undefined);
              setFilters(next);
            }}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
};
