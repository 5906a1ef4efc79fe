/**
 * Pages that the search offers in addition to records: the role's menu, the lists, and the forms for rows that the user
 * may create.
 */

import { entities } from '../../schema';
import { isCreatable } from '../../schema/dsl/entity';
import { reports } from '../../schema/features/reports';
import { reportNames } from '../../schema/shared/reportNames';
import { can, currentUser } from '../providers/auth';
import type { IconName } from '../ui/Icon';
import { listEntry, ownMenu } from './menus';

export interface NavigationTarget {
  /** Translation key. */
  label: string;
  icon: IconName;
  to: string;
}

/** All targets of the user, each URL once. */
export function navigationTargets(): NavigationTarget[] {
  const menu = ownMenu().flatMap(({ label, icon, to }) => (to ? [{ label, icon, to }] : []));
  const lists = entities.filter(({ name }) => can(name, 'list')).map(({ name }) => listEntry(name));
  const calendar: NavigationTarget[] =
    can('locations', 'list') && can('machines', 'list')
      ? [{ label: 'calendar.title', icon: 'calendar', to: '/locations/calendar' }]
      : [];
  const readableReports = reportNames.filter((name) =>
    reports[name].permissions.every((code) => currentUser()?.permissions.includes(code)),
  );
  const reportTargets = readableReports.map(
    (name): NavigationTarget => ({
      label: `resources.report_schedules.choices.report.${name}`,
      icon: 'report',
      to: `/reports/${name}`,
    }),
  );
  const creations = entities
    .filter((entity) => isCreatable(entity) && can(entity.name, 'create'))
    .map(({ name }): NavigationTarget => ({ label: `resources.${name}.add`, icon: 'plus', to: `/${name}/create` }));
  const targets = [...menu, ...lists, ...calendar, ...reportTargets, ...creations];
  return targets.filter(({ to }, index) => targets.findIndex((other) => other.to === to) === index);
}

/** Converts to lower case without accents, so that "munchen" finds München. */
export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Targets whose names contain every typed word, first those that begin with the first word. */
export function filterByName<T extends { name: string }>(targets: readonly T[], searchText: string): T[] {
  const words = withoutAccents(searchText).split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  return targets
    .filter(({ name }) => words.every((word) => withoutAccents(name).includes(word)))
    .sort(
      (a, b) => Number(withoutAccents(b.name).startsWith(first)) - Number(withoutAccents(a.name).startsWith(first)),
    );
}
