/** The inbox: what needs a person now, grouped by cause and site. */
import type { alertSeverities } from '../entities/alert_rules';

export type InboxSeverity = (typeof alertSeverities)[number];

/** Kinds of findings, most pressing first among findings of one severity. `reported`: problems that people report. */
export const inboxKinds = ['reported', 'alert', 'silent', 'cleaning', 'service', 'device', 'import', 'job'] as const;
export type InboxKind = (typeof inboxKinds)[number];

export const inboxActs = ['acknowledge', 'assign', 'snooze', 'done'] as const;
export type InboxAct = (typeof inboxActs)[number];

/**
 * Acts that fit a kind, the first two foremost, in one order for all kinds. Acts but `snooze` concern everybody who
 * sees the finding.
 */
export const inboxActsOf: Record<InboxKind, readonly InboxAct[]> = {
  reported: ['acknowledge', 'assign', 'snooze', 'done'],
  alert: ['acknowledge', 'assign', 'snooze', 'done'],
  silent: ['acknowledge', 'assign', 'snooze'],
  cleaning: ['acknowledge', 'assign', 'snooze'],
  service: ['acknowledge', 'assign', 'snooze'],
  device: ['done', 'assign', 'snooze'],
  import: ['done', 'snooze'],
  job: ['done', 'assign', 'snooze'],
};

/** Grouping of items: a site; a client, if a cause occurs at many sites; `none` for findings without a site. */
export const inboxPlaces = ['location', 'client', 'none'] as const;
export type InboxPlace = (typeof inboxPlaces)[number];

/** Identifies an item over time. `cause`: `error/E42` of an alert, `missed` of a cleaning, the kind of a job. */
export interface InboxKey {
  kind: InboxKind;
  place: InboxPlace;
  /** Of the location or client, or of the client whose findings stand nowhere; 0 without one. */
  placeId: number;
  cause: string;
}

export const printInboxKey = ({ kind, place, placeId, cause }: InboxKey): string =>
  [kind, place, placeId, cause].join(':');

/** Returns `undefined` for text that is not a key. */
export function parseInboxKey(text: string): InboxKey | undefined {
  const [, kind, place, placeId, cause = ''] = /^(\w+):(\w+):(\d{1,9}):(.*)$/s.exec(text) ?? [];
  const key = { kind, place, placeId: Number(placeId), cause } as InboxKey;
  return inboxKinds.includes(key.kind) && inboxPlaces.includes(key.place) ? key : undefined;
}

/** Number of sites with one cause beyond which its findings are grouped by client. */
export const maxSitesPerCause = 5;
/** Maximum number of items per response; the count includes the others. */
export const maxInboxItems = 50;
/** Number of silent machines that makes an item critical. */
export const criticalSilence = 3;
/** Days past its due date after which a service is a warning. */
export const serviceWarningDays = 14;
/** Days for which a failed import or job stays in the inbox. */
export const failureDays = 30;
/** Longest time to put an item off, in days. */
export const maxSnoozeDays = 90;

interface RankedItem {
  kind: InboxKind;
  severity: InboxSeverity;
  count: number;
  /** ISO 8601. */
  since: string | null;
  key: string;
}

const severityRank: Record<InboxSeverity, number> = { critical: 0, warning: 1, info: 2 };

/** Worst first: by severity, then kind, then number, then the latest; the key breaks ties. */
export const compareInboxItems = (a: RankedItem, b: RankedItem): number =>
  severityRank[a.severity] - severityRank[b.severity] ||
  inboxKinds.indexOf(a.kind) - inboxKinds.indexOf(b.kind) ||
  b.count - a.count ||
  (b.since ?? '').localeCompare(a.since ?? '') ||
  (a.key < b.key ? -1 : 1);
