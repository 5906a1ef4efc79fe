import { useTranslate } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';
import { useOwnCrumbs } from '../ui/crumbs';
import { Icon } from '../ui/Icon';
import { currentTarget, type MenuEntry, ownMenu } from './menus';
import { useClearLists } from './useClearLists';

interface NavigationProps {
  /** Whether labels are shown beside the icons. */
  labelled: boolean;
  /** Called after an item is chosen. */
  onChosen?: () => void;
}

/** The navigation of the logged-in user. */
export const Navigation = ({ labelled, onChosen }: NavigationProps) => {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const clearLists = useClearLists();
  const items = ownMenu();
  const trail = useOwnCrumbs();
  const current = currentTarget(items, pathname, trail?.[0]?.link);
  const heading = translate('frame.navigation');

  const choose = () => {
    clearLists();
    onChosen?.();
  };

  return (
    <nav className="sl-nav" aria-label={heading}>
      <p className="sl-nav-heading">{labelled ? heading : [...heading].slice(0, 3).join('')}</p>
      <ul>
        {items.map((item) => (
          <li key={item.label}>
            <Item
              item={item}
              labelled={labelled}
              current={item.to !== undefined && item.to === current}
              onChosen={choose}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Item = ({
  item,
  labelled,
  current,
  onChosen,
}: {
  item: MenuEntry;
  labelled: boolean;
  current: boolean;
  onChosen: () => void;
}) => {
  const translate = useTranslate();
  const label = translate(item.label);
  const content = (
    <>
      <Icon name={item.icon} size={32} />
      {labelled && <span>{label}</span>}
    </>
  );
  if (!item.to) return <span className="sl-nav-item">{content}</span>;
  return (
    <Link
      className="sl-nav-item"
      to={item.to}
      onClick={onChosen}
      aria-current={current ? 'page' : undefined}
      {...(labelled ? {} : { 'aria-label': label, title: label })}
    >
      {content}
    </Link>
  );
};
