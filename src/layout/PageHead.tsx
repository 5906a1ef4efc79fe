import { type ReactNode, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useToastsBelow } from '../ui/useToastsBelow';
import { type Crumb, crumbsOf, useCrumbs } from './crumbs';
import { useTitle } from './useTitle';

interface PageHeadProps {
  title: string;
  /** Said beside the title, such as "1,500 results found". */
  count?: ReactNode;
  /** The one primary action. */
  primary?: ReactNode;
  /** Everything else that can be done here. */
  menu?: ReactNode;
  /** A mark beside the title, such as a machine's state. */
  mark?: ReactNode;
  /** The trail in the header; by default what the path implies, with the title as its last entry. */
  crumbs?: readonly Crumb[];
  /** The open tab as it calls itself: the trail ends with it. */
  tab?: string;
}

/** What a page is about, and its actions. Names the browser tab and the last breadcrumb. */
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
        {count !== undefined && <span className="sl-page-count">{count}</span>}
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

/** A list is called by its plural anyway; a record's number gives way to its name. */
function trailTo(pathname: string, { title, tab }: { title: string; tab: string | undefined }): Crumb[] | undefined {
  const implied = crumbsOf(pathname);
  const number = implied.findIndex(({ headerName }) => headerName.startsWith('#'));
  if (number === -1) return undefined;
  const named = (crumb: Crumb, index: number) =>
    index === number ? title : tab && index === implied.length - 1 ? tab : crumb.headerName;
  return implied.map((crumb, index) => ({ ...crumb, headerName: named(crumb, index) }));
}
