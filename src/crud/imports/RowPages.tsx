import { useTranslate } from 'react-admin';
import { Icon } from '../../ui/Icon';

/** Pagination of the rows of a file. */
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
    <nav className="sl-import-pages" aria-label={translate('list.page')}>
      {step('previous_page', page - 1, 'collapse')}
      <span aria-current="page">{translate('list.page_of', { page, pages })}</span>
      {step('next_page', page + 1, 'expand')}
    </nav>
  );
};
