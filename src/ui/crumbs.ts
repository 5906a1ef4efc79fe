/** The breadcrumb trail of the open page. */
import { useEffect } from 'react';
import { entities } from '../../schema/index';
import { createStore, useStoreValue } from '../providers/createStore';

export interface Crumb {
  /** Translation key, or literal text if it does not start with a lowercase letter. */
  headerName: string;
  link?: string;
}

export const isLiteral = ({ headerName }: Crumb): boolean => /^[^\p{Ll}]/u.test(headerName);

/** Translation keys of path segments. */
const segmentLabels: Record<string, string> = {
  account: 'frame.account',
  admin: 'frame.admin',
  create: 'form.create',
  edit: 'form.edit',
  calendar: 'calendar.title',
  import: 'imports.menu',
  logs: 'machine.logs',
  location: 'machine.location',
  statistics: 'machine.statistics',
  service: 'service.title',
  history: 'history.title',
  companies: 'admin.crm',
  authorization: 'admin.authorizations',
  addcompany: 'admin.add_company',
  addmachine: 'admin.add_machine',
  labels: 'labels.title',
  reports: 'reporting.title',
  schedules: 'reporting.scheduled',
};

/**
 * The default trail of a path: list, record, form. Invitations are placed below users. The last entry is the page
 * itself and has no link.
 */
export function crumbsOf(pathname: string): Crumb[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length === 0) return [{ headerName: 'frame.dashboard' }];
  const parents = segments[0] === 'invitations' ? [{ headerName: 'resources.users.plural', link: '/users' }] : [];
  const trail = segments.map((segment, index): Crumb => {
    const link = `/${segments.slice(0, index + 1).join('/')}`;
    const label = Object.hasOwn(segmentLabels, segment) ? segmentLabels[segment] : undefined;
    const headerName = entities.some(({ name }) => name === segment)
      ? `resources.${segment}.plural`
      : (label ?? `#${decodeSegment(segment)}`);
    return { headerName, link };
  });
  return [
    ...parents,
    ...trail.map((crumb, index) => (index === trail.length - 1 ? { headerName: crumb.headerName } : crumb)),
  ];
}

/** The trail of a row's page, ending with its list. */
export function crumbsAbove(pathname: string): Crumb[] {
  const trail = crumbsOf(pathname);
  return trail.slice(
    0,
    trail.findIndex(({ headerName }) => headerName.startsWith('#')),
  );
}

const pageCrumbs = createStore<readonly Crumb[] | undefined>(undefined);

/** Replaces the default trail while the page is open; `undefined` keeps the default. */
export function useCrumbs(crumbs: readonly Crumb[] | undefined): void {
  const key = JSON.stringify(crumbs);
  useEffect(() => {
    if (key === undefined) return;
    const trail = JSON.parse(key) as Crumb[];
    pageCrumbs.set(trail);
    // The next page may set its trail before this one unmounts.
    return () => {
      if (pageCrumbs.get() === trail) pageCrumbs.set(undefined);
    };
  }, [key]);
}

export const useOwnCrumbs = (): readonly Crumb[] | undefined => useStoreValue(pageCrumbs);

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
