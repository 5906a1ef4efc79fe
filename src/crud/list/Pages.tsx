import { useListContext, useTranslate } from 'ra-core';
import { useId } from 'react';
import { formatNumber } from '../../i18n/format';
import { Icon } from '../../ui/Icon';
import { useLanguage } from '../shared/useLanguage';

const sizes = [10, 25, 50, 100];

/** Pagination: range of rows, page size, links to other pages. */
export const Pages = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  const { resource, page, perPage, total, setPage, setPerPage } = useListContext();
  const pages = Math.max(1, Math.ceil((total ?? 0) / perPage));
  const print = (value: number) => formatNumber(value, { language });
  const stepButton = (label: string, to: number, icon: 'collapse' | 'expand', isDouble = false) => (
    <button
      type="button"
      className="sl-icon-button"
      aria-label={translate(`list.${label}`)}
      title={translate(`list.${label}`)}
      disabled={to < 1 || to > pages || to === page}
      onClick={() => setPage(to)}
    >
      <Icon name={icon} size={18} />
      {isDouble && <Icon name={icon} size={18} className="sl-double" />}
    </button>
  );
  return (
    <nav className="sl-pages" aria-label={`${translate(`resources.${resource}.plural`)}: ${translate('list.page')}`}>
      <label htmlFor={id}>{translate('list.per_page')}</label>
      <select id={id} className="sl-select" value={perPage} onChange={({ target }) => setPerPage(Number(target.value))}>
        {(sizes.includes(perPage) ? sizes : [...sizes, perPage].sort((a, b) => a - b)).map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
      {total !== undefined && (
        <>
          <span className="sl-pages-range">
            {translate('list.range', {
              from: print(Math.min((page - 1) * perPage + 1, total)),
              to: print(Math.min(page * perPage, total)),
              total: print(total),
            })}
          </span>
          <span className="sl-pages-steps">
            {stepButton('first_page', 1, 'collapse', true)}
            {stepButton('previous_page', page - 1, 'collapse')}
            <span className="sl-pages-now" aria-current="page">
              {translate('list.page_of', { page: print(page), pages: print(pages) })}
            </span>
            {stepButton('next_page', page + 1, 'expand')}
            {stepButton('last_page', pages, 'expand', true)}
          </span>
        </>
      )}
    </nav>
  );
};
