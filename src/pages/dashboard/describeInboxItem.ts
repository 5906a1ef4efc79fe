/** Text, link and icon of an inbox item; the words come from the translations. */
import type { InboxItem } from '../../../schema/endpoints/inbox';
import { attentionList } from '../../../schema/features/dashboard';
import { daysUntil, dueText } from '../../crud/shared/dueText';
import { formatDate, formatDateTime, formatDayOf, keepTogether } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import type { IconName } from '../../ui/Icon';

type Translate = (key: string, values?: Record<string, unknown>) => string;

export const severityIcons: Record<InboxItem['severity'], IconName> = {
  critical: 'error',
  warning: 'warning',
  info: 'information',
};

export interface InboxText {
  title: string;
  /** Explanations, to be joined. */
  details: string[];
  /** Path of exactly the rows behind the item; `undefined` if no page shows them. */
  to: string | undefined;
}

/** Names of a longer list that fit into one line. */
const maxNames = 2;

export function describeInboxItem(item: InboxItem, translate: Translate, now = new Date(serverNow())): InboxText {
  const { count, names, location, client } = item;
  const placeName = location?.name ?? client?.name;
  // Without a place, the first name is the subject, except for alerts, whose text names its own subject.
  const subject = count === 1 ? (names[0] ?? placeName) : (placeName ?? (item.finding ? names[0] : undefined));
  const isSite = item.kind === 'cleaning' && count === 1;
  const finding = findingOf(item, translate);
  const shownNames = names.length < count ? names.slice(0, maxNames) : names;
  const others = shownNames.length < count ? [...shownNames, `+${count - shownNames.length}`] : shownNames;
  const details = [
    item.cause === 'service_due' && item.day && dueText(daysUntil(item.day, now), translate),
    count > 1 && names.length > 0 && others.join(', '),
    subject !== location?.name && location?.name,
    subject !== client?.name && client?.name,
    count > 1 && item.sites > 1 && keepTogether(translate('inbox.sites', { smart_count: item.sites })),
    item.detail,
    describeAssignment(item, translate),
    item.until && translate('inbox.until', { time: timeOf(item.until, now) }),
  ];
  return {
    title: [isSite ? (names[0] ?? placeName) : subject, finding].filter(Boolean).join(': '),
    details: details.filter((detail): detail is string => Boolean(detail)),
    to: rowsPath(item, now),
  };
}

function findingOf({ kind, cause, count, finding, day }: InboxItem, translate: Translate): string {
  const values = { smart_count: count, day: day ? formatDate(day) : '' };
  switch (kind) {
    case 'alert':
    case 'reported':
      return count > 1 ? `${count} × ${finding}` : (finding ?? '');
    case 'silent':
      return count === 1 ? translate('inbox.silent_one', values) : translate('inbox.silent', values);
    case 'cleaning':
      return translate(`inbox.${cause}`, values);
    case 'job':
      return translate(`inbox.job.${cause}`, { ...values, _: `${cause} (${count})` });
    default:
      return translate(`inbox.${kind}`, values);
  }
}

/** Whether the finding lasts until it is closed, rather than happened once. */
export const isLasting = ({ kind }: Pick<InboxItem, 'kind'>): boolean => ['alert', 'silent', 'device'].includes(kind);

/** The time of day today, else day and time. */
const timeOf = (instant: string, now: Date): string =>
  formatDayOf(instant) === formatDayOf(now) ? formatDateTime(instant).slice(-5) : keepTogether(formatDateTime(instant));

function describeAssignment(
  { assignee, assigned_by: assigner, until }: InboxItem,
  translate: Translate,
): string | undefined {
  if (!assigner || until) return undefined;
  return assignee
    ? translate('inbox.given', { name: assignee, by: assigner })
    : translate('inbox.taken', { by: assigner });
}

const listPath = (resource: string, filter: object, parameters: Record<string, string> = {}) =>
  `/${resource}?${new URLSearchParams({ ...parameters, filter: JSON.stringify(filter), page: '1' })}`;

function rowsPath(item: InboxItem, now: Date): string | undefined {
  const { kind, ids, cause, day, location, client } = item;
  const [firstId] = ids;
  const placeFilter = location ? { location_id: [location.id] } : client ? { client_id: [client.id] } : {};
  const rows = ids.length > 0 ? { id: ids } : undefined;
  switch (kind) {
    case 'alert':
    case 'reported':
      return ids.length === 1 ? `/alerts/${firstId}` : listPath('alerts', rows ?? { state: ['open'], ...placeFilter });
    case 'silent':
    case 'service': {
      const { filter } = attentionList(kind === 'silent' ? 'silent' : 'service_due', now);
      return ids.length === 1 ? `/machines/${firstId}` : listPath('machines', rows ?? { ...filter, ...placeFilter });
    }
    case 'cleaning':
      return listPath('locations/calendar', rows ?? {}, { state: cause, day: day ?? '' });
    case 'device':
      return '/trackers?view=inbox';
    case 'import':
      return ids.length === 1 ? `/imports/${firstId}` : listPath('imports', { state: ['failed'] });
    case 'job':
      return undefined;
  }
}
