import { type ReactNode, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type Crumb, crumbsOf, useCrumbs } from './crumbs';
import { useTitle } from './useTitle';
import { useToastsBelow } from './useToastsBelow';

interface PageHeadProps {
  title: string;
  /** Count beside the title, such as "1,500 results found". */
  count?: ReactNode;
  /** The primary action. */
  primary?: ReactNode;
  /** Further actions. */
  menu?: ReactNode;
  /** A mark beside the title, such as a machine's state. */
  mark?: ReactNode;
  /** Breadcrumbs; default: those of the path, with the title as last entry. */
  crumbs?: readonly Crumb[];
  /** Label of the open tab, used as the last breadcrumb. */
  tab?: string;
}

/** Title and actions of a page. Sets the title of the browser tab and the last breadcrumb. */
export const PageHead = ({ title, count, primary, menu, mark, crumbs, tab }: PageHeadProps) => {
  const { pathname } = useLocation();
  const head = useRef<HTMLDivElement>(null);
  useToastsBelow(head);
  useCrumbs(crumbs ?? trailTo(pathname, { title, tab }));
  useTitle(title);
  return (
    <div ref={head} className="sl-page-head">
      <div className="sl-page-title">
        <h1>{title}</h1>
        {mark}
        {count !== undefined && (
          <span className="sl-page-count" role="status">
            {count}
          </span>
        )}
      </div>
      {(primary || menu) && (
        <div className="sl-page-actions">
          {menu}
          {primary}
        </div>
      )}
    </div>
  );
};

/**
 * Breadcrumbs of a record's page, with its title in place of its number. `undefined` for other pages, whose default
 * breadcrumbs already end with their name.
 */
function trailTo(pathname: string, { title, tab }: { title: string; tab: string | undefined }): Crumb[] | undefined {
  const pathCrumbs = crumbsOf(pathname);
  const numberIndex = pathCrumbs.findIndex(({ headerName }) => headerName.startsWith('#'));
  if (numberIndex === -1) return undefined;
  const nameOf = (crumb: Crumb, index: number) =>
    index === numberIndex ? title : tab && index === pathCrumbs.length - 1 ? tab : crumb.headerName;
  return pathCrumbs.map((crumb, index) => ({ ...crumb, headerName: nameOf(crumb, index) }));
}
