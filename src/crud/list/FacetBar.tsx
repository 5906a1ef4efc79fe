import { useTranslate } from 'ra-core';
import { type ReactNode, useId } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { formatNumber } from '../../i18n/format';
import { Dropdown } from '../../ui/Dropdown';
import { Icon } from '../../ui/Icon';
import { useLanguage } from '../shared/useLanguage';
import { FacetList } from './FacetList';
import { type FacetOption, facetLabel, facetsWithoutCounts, useFacetFilter, useFacets } from './facets';
import './facets.css';

/** Draws a value that needs more than a label, such as a machine's state; `undefined` shows the label. */
export type FacetMark = (name: string, value: FacetOption) => ReactNode;

/**
 * The list's facets: values with their counts; a click filters. The first facet is shown as pills, the others as
 * dropdowns.
 */
export const FacetBar = ({ entity, mark }: { entity: Entity; mark?: FacetMark }) => {
  const translate = useTranslate();
  const facets = useFacets(entity) ?? facetsWithoutCounts(entity, translate);
  const [first, ...others] = Object.keys(facets);
  const label = (name: string) => translate(`resources.${entity.name}.fields.${name}`);
  return (
    <section className="sl-facets" aria-label={translate('facets.title')}>
      {first !== undefined && (
        <Pills entity={entity} name={first} label={label(first)} values={facets[first] ?? []} mark={mark} />
      )}
      {others.length > 0 && (
        <div className="sl-facet-more">
          {others.map((name) => (
            <Dropdown
              key={name}
              className="sl-button sl-facet-button"
              title={label(name)}
              panel={() => <FacetList entity={entity} name={name} label={label(name)} values={facets[name] ?? []} />}
            >
              {label(name)}
              <Icon name="down" size={14} />
            </Dropdown>
          ))}
        </div>
      )}
    </section>
  );
};

interface PillsProps {
  entity: Entity;
  name: string;
  label: string;
  values: readonly FacetOption[];
  mark?: FacetMark;
}

const Pills = ({ entity, name, label, values, mark }: PillsProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const { isSelected, toggle } = useFacetFilter(name);
  const labelId = useId();
  return (
    <fieldset className="sl-facet-pills" aria-labelledby={labelId}>
      {/* Not a legend, which Safari draws above the row. */}
      <span id={labelId} className="sl-facet-label">
        {label}
      </span>
      {values.map((option) => (
        <button
          key={String(option.value)}
          type="button"
          className="sl-facet-pill"
          aria-pressed={isSelected(option.value)}
          disabled={option.count === 0 && !isSelected(option.value)}
          onClick={() => toggle(option.value)}
        >
          {mark?.(name, option) ?? facetLabel({ entity, name, option, language, none: translate('facets.without') })}
          <span className="sl-facet-count">
            {option.count === undefined ? '…' : formatNumber(option.count, { language })}
          </span>
        </button>
      ))}
    </fieldset>
  );
};
