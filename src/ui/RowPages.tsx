import { useTranslate } from 'react-admin';
import { Icon } from './Icon';

/** Pagination of rows or lines without a list around them. */
export const RowPages = ({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) => {
  const translate = useTranslate();
  const step = (label: string, to: number, icon: 'collapse' | 'expand') => (
    <button
      type="button"
      className="sl-icon-button"
      aria-label={translate(`list.${label}`)}
      title={translate(`list.${label}`)}
      disabled={to < 1 || to > pages}
      onClick={() => onPage(to)}
    >
      <Icon name={icon} size={18} />
    </button>
  );
  return (
    <nav className="sl-row-pages" aria-label={translate('list.page')}>
      {step('previous_page', page - 1, 'collapse')}
      <span aria-current="page">{translate('list.page_of', { page, pages })}</span>
      {step('next_page', page + 1, 'expand')}
    </nav>
  );
};
