/** The inbox: findings that need a person now, grouped by cause and site. */
import type { alertSeverities } from '../entities/alert_rules';

export type InboxSeverity = (typeof alertSeverities)[number];

/** Kinds of findings, most urgent first among those of one severity. `reported`: problems that people report. */
export const inboxKinds = ['reported', 'alert', 'silent', 'cleaning', 'service', 'device', 'import', 'job'] as const;
export type InboxKind = (typeof inboxKinds)[number];

export const inboxActs = ['acknowledge', 'assign', 'snooze', 'done'] as const;
export type InboxAct = (typeof inboxActs)[number];

/**
 * Actions that fit each kind; the first two are the most prominent. Every action except `snooze` affects everybody who
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

/**
 * What items are grouped by: a site, or a client if a cause occurs at many sites; `none` for findings without a site.
 */
export const inboxPlaces = ['location', 'client', 'none'] as const;
export type InboxPlace = (typeof inboxPlaces)[number];

/** Identifies an item over time. `cause` is `error/E42` for an alert, `missed` for a cleaning, or the kind of a job. */
export interface InboxKey {
  kind: InboxKind;
  place: InboxPlace;
  /** Id of the location or client, or of the client whose findings have no site; 0 if there is none. */
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

/** If a cause occurs at more sites of a client than this, its findings are grouped by client. */
export const maxSitesPerCause = 5;
/** Maximum items per response; the total includes all others. */
export const maxInboxItems = 50;
/** Number of silent machines from which an item is critical. */
export const criticalSilence = 3;
/** Days past the due date after which a service is a warning. */
export const serviceWarningDays = 14;
/** Days for which a failed import or job stays in the inbox. */
export const failureDays = 30;
/** Maximum days for which an item can be snoozed. */
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

/** A machine that is silent is as urgent as an alert about one. */
const urgencyRank = (kind: InboxKind): number => inboxKinds.indexOf(kind === 'silent' ? 'alert' : kind);
/** Sorts after every time. */
const never = '~';

/** Orders items, worst first: by severity, then urgency, then count, then age; the key breaks ties. */
export const compareInboxItems = (a: RankedItem, b: RankedItem): number =>
  severityRank[a.severity] - severityRank[b.severity] ||
  urgencyRank(a.kind) - urgencyRank(b.kind) ||
  b.count - a.count ||
  compareTexts(a.since ?? never, b.since ?? never) ||
  compareTexts(a.key, b.key);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
