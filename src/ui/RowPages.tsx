import { useTranslate } from 'react-admin';
import { IconButton } from './IconButton';

/** Pagination of rows outside a react-admin list. */
export const RowPages = ({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) => {
  const translate = useTranslate();
  const step = (label: string, to: number, icon: 'collapse' | 'expand') => (
    <IconButton
      icon={icon}
      label={translate(`list.${label}`)}
      disabled={to < 1 || to > pages}
      onClick={() => onPage(to)}
    />
  );
  return (
    <nav className="sl-row-pages" aria-label={translate('list.page')}>
      {step('previous_page', page - 1, 'collapse')}
      <span aria-current="page">{translate('list.page_of', { page, pages })}</span>
      {step('next_page', page + 1, 'expand')}
    </nav>
  );
};
