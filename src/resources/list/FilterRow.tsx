import { useListContext, useTranslate } from 'ra-core';
import { useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../layout/Icon';
import type { FilterValue } from '../../providers/filter';
import { AddFilter } from './AddFilter';
import { useClearFilters } from './clearFilters';
import { FilterChip } from './FilterChip';
import { SearchBox } from './SearchBox';
import type { ListView } from './views';

/** Milliseconds before an unused chip goes: what was clicked instead must not move away under the pointer. */
const settle = 200;

interface FilterRowProps {
  entity: Entity;
  views?: readonly ListView[];
  view: string | undefined;
  onView: (name: string | undefined) => void;
}

/** Search, the filters in force as chips, the way to further ones, and the choice of view. */
export const FilterRow = ({ entity, views, view, onView }: FilterRowProps) => {
  const translate = useTranslate();
  const { filterValues, setFilters } = useListContext();
  const clear = useClearFilters();
  const row = useRef<HTMLDivElement>(null);
  const [adding, setAdding] = useState<string>();
  const paths = Object.keys(filterValues).filter((path) => path !== 'search');
  // One list of both, so that a chip keeps its open editor when its first value makes it one in force.
  const chips = adding === undefined || paths.includes(adding) ? paths : [...paths, adding];
  const set = (path: string, value: FilterValue | undefined) => {
    const { [path]: _, ...others } = filterValues;
    setFilters(value === undefined ? others : { ...filterValues, [path]: value });
  };
  const drop = (path: string) => {
    // The chip goes with the focus in it: back to where it was begun.
    if (document.activeElement?.closest('.sl-chip[data-begun="true"]')) row.current?.querySelector<HTMLElement>('.sl-button-dashed')?.focus();
    setAdding((now) => (now === path ? undefined : now));
  };
  return (
    <div ref={row} className="sl-filters">
      <SearchBox entity={entity} />
      {chips.map((path) => (
        <FilterChip
          key={path}
          entity={entity}
          path={path}
          value={filterValues[path]}
          onChange={(value) => set(path, value)}
          onLeave={() => setTimeout(() => drop(path), settle)}
        />
      ))}
      <AddFilter entity={entity} taken={paths} onChosen={setAdding} />
      {Object.keys(filterValues).length > 0 && (
        <button type="button" className="sl-text-button" onClick={clear}>
          {translate('filters.clear')}
        </button>
      )}
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
    </div>
  );
};
