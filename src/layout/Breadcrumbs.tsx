import { useTranslate } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';
import { type Crumb, crumbsOf, isLiteral, useOwnCrumbs } from '../ui/crumbs';
import { Icon } from '../ui/Icon';

/** The breadcrumb trail of the open page. */
export const Breadcrumbs = () => {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const trail = useOwnCrumbs() ?? crumbsOf(pathname);
  const text = (crumb: Crumb) =>
    isLiteral(crumb) ? crumb.headerName : translate(crumb.headerName, { _: crumb.headerName });
  return (
    <nav className="sl-crumbs" aria-label={translate('frame.breadcrumbs')}>
      <ol>
        {trail.map((crumb, index) => (
          <li key={`${crumb.headerName} ${crumb.link}`}>
            {index > 0 && <Icon name="next" size={16} />}
            {crumb.link ? <Link to={crumb.link}>{text(crumb)}</Link> : <span aria-current="page">{text(crumb)}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
};
