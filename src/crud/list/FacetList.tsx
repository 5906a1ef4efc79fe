import { useTranslate } from 'ra-core';
import { useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { formatNumber } from '../../i18n/format';
import { useLanguage } from '../shared/useLanguage';
import { type FacetOption, facetLabel, useFacetFilter } from './facets';

/** Minimum number of values for which a search is shown. */
const minSearchableValues = 10;

/** The values of one facet as checkboxes, with a search box if there are many. */
export const FacetList = ({
  entity,
  name,
  label,
  values,
}: {
  entity: Entity;
  name: string;
  label: string;
  values: readonly FacetOption[];
}) => {
  const translate = useTranslate();
  const language = useLanguage();
  const [text, setText] = useState('');
  const { isSelected, toggle } = useFacetFilter(name);
  const facetLines = values
    .map((option) => ({
      ...option,
      label: facetLabel({ entity, name, option, language, none: translate('facets.without') }),
    }))
    .filter(({ label }) => label.toLocaleLowerCase(language).includes(text.trim().toLocaleLowerCase(language)));
  return (
    <>
      {values.length >= minSearchableValues && (
        <input
          className="sl-input"
          type="search"
          aria-label={translate('facets.search', { name: label })}
          placeholder={translate('frame.search')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <div className="sl-menu">
        {facetLines.map(({ value, label, count }) => (
          <label key={String(value)} className="sl-facet-line" data-empty={count === 0}>
            <input type="checkbox" checked={isSelected(value)} onChange={() => toggle(value)} />
            <span className="sl-facet-said">{label}</span>
            <span className="sl-facet-count">{count === undefined ? '…' : formatNumber(count, { language })}</span>
          </label>
        ))}
        {facetLines.length === 0 && <p className="sl-menu-nothing">{translate('form.no_options')}</p>}
      </div>
    </>
  );
};
