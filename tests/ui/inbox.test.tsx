/** The inbox: text and link of an item, and keyboard shortcuts. */
import { expect, test } from 'vitest';
import type { InboxItem } from '../../schema/endpoints/inbox';
import { describeInboxItem } from '../../src/pages/dashboard/describeInboxItem';
import { actOfKey, nextTitle } from '../../src/pages/dashboard/inboxKeys';
import { rowActsOf } from '../../src/pages/dashboard/rowActsOf';
import { setShortcutsOn } from '../../src/ui/keys';
import { loadTranslator } from '../support/loadTranslator';

const now = new Date('2026-10-22T10:00:00');
const item = (values: Partial<InboxItem>): InboxItem => ({
  key: 'silent:location:4:',
  kind: 'silent',
  severity: 'warning',
  cause: '',
  finding: null,
  count: 1,
  sites: 1,
  location: { id: 4, name: 'Werk Köln' },
  client: { id: 2, name: 'Nordlicht' },
  names: ['AQ45-0007'],
  ids: [7],
  since: new Date('2026-10-22T03:12:00').toISOString(),
  day: null,
  detail: null,
  assignee: null,
  assigned_by: null,
  until: null,
  acts: ['assign', 'acknowledge', 'snooze'],
  ...values,
});
const translate = await loadTranslator('en');
const describe = (values: Partial<InboxItem>) => {
  const { title, details, to } = describeInboxItem(item(values), translate, now);
  return [title, details.join(' · '), to && decodeURIComponent(to)];
};
const group = { count: 4, ids: [7, 8, 9, 10], names: ['A', 'B', 'C'] };

test.each<[string, Partial<InboxItem>, (string | undefined)[]]>([
  ['one machine', {}, ['AQ45-0007: silent', 'Werk Köln · Nordlicht', '/machines/7']],
  [
    'machines of a site',
    group,
    ['Werk Köln: 4 machines silent', 'A, B, +2 · Nordlicht', '/machines?filter={"id":[7,8,9,10]}&page=1'],
  ],
  [
    'machines of a client',
    { ...group, location: null, sites: 3 },
    ['Nordlicht: 4 machines silent', 'A, B, +2 · 3\u00a0sites', '/machines?filter={"id":[7,8,9,10]}&page=1'],
  ],
  [
    'machines, for a user without locations',
    { ...group, location: null, client: null, sites: 3 },
    ['4 machines silent', 'A, B, +2 · 3\u00a0sites', '/machines?filter={"id":[7,8,9,10]}&page=1'],
  ],
  [
    'alerts, for a user without locations',
    { ...group, kind: 'alert', finding: 'error E42', cause: 'error/E42', location: null, client: null },
    ['A: 4 × error E42', 'A, B, +2', '/alerts?filter={"id":[7,8,9,10]}&page=1'],
  ],
  [
    'an alert',
    { kind: 'alert', finding: 'error E42', cause: 'error/E42' },
    ['AQ45-0007: error E42', 'Werk Köln · Nordlicht', '/alerts/7'],
  ],
  ...(
    [
      ['2026-10-19', '3 days over'],
      ['2026-10-22', 'due today'],
      ['2026-10-23', 'in 1 day'],
    ] as const
  ).map(([day, due]): [string, Partial<InboxItem>, (string | undefined)[]] => [
    `a service: ${due}`,
    { kind: 'alert', finding: 'service due', cause: 'service_due', day },
    ['AQ45-0007: service due', `${due} · Werk Köln · Nordlicht`, '/alerts/7'],
  ]),
  [
    'a problem in the words of its reporter, assigned to a user',
    { kind: 'reported', finding: 'leak', detail: 'Water!', assignee: 'Nora', assigned_by: 'Ada' },
    ['AQ45-0007: leak', 'Werk Köln · Nordlicht · Water! · given to Nora by Ada', '/alerts/7'],
  ],
  [
    'a missed site',
    { kind: 'cleaning', cause: 'missed', names: ['Werk Köln'], ids: [4], day: '2026-10-21', since: null },
    [
      'Werk Köln: not cleaned on 21.10.2026',
      'Nordlicht',
      '/locations/calendar?state=missed&day=2026-10-21&filter={"id":[4]}&page=1',
    ],
  ],
  [
    'mails, which no page lists',
    { kind: 'job', cause: 'mail', count: 2, names: [], ids: [], location: null, client: null, detail: '550' },
    ['2 e-mails could not be sent', '550', undefined],
  ],
])('describes %s', (_, values, expected) => expect(describe(values)).toEqual(expected));

test('an item that can only be snoozed also offers to open its page or to report a problem, if permitted', () => {
  const acts = (values: Partial<InboxItem>, rights = { hasPage: true, canReport: true }) =>
    rowActsOf(item(values), rights);
  expect(acts({})).toEqual(['assign', 'acknowledge', 'snooze']);
  expect(acts({ acts: ['return'] })).toEqual(['return']);
  expect(acts({ acts: ['snooze'] })).toEqual(['open', 'report', 'snooze']);
  expect(acts({ acts: ['snooze'], count: 4 })).toEqual(['open', 'snooze']);
  expect(acts({ acts: ['snooze'], kind: 'alert' })).toEqual(['open', 'snooze']);
  expect(acts({ acts: ['snooze'] }, { hasPage: true, canReport: false })).toEqual(['open', 'snooze']);
  expect(acts({ acts: ['snooze'] }, { hasPage: false, canReport: false })).toEqual(['snooze']);
});

test('letter keys run the first action that the item offers, unless they are switched off', () => {
  expect(actOfKey('a', ['acknowledge', 'snooze'])).toBe('acknowledge');
  expect(actOfKey('A', ['done', 'snooze'])).toBe('done');
  expect(actOfKey('e', ['assign'])).toBe('assign');
  expect(actOfKey('g', ['assign'])).toBe('assign');
  expect(actOfKey('s', ['return'])).toBeUndefined();
  expect(actOfKey('x', ['assign'])).toBeUndefined();
  setShortcutsOn(false);
  expect(actOfKey('a', ['acknowledge'])).toBeUndefined();
  setShortcutsOn(true);
});

test('arrow keys move from title to title, and stop at the ends', () => {
  document.body.innerHTML = ['1', '2', '3']
    .map((key) => `<li data-key="${key}"><a class="sl-inbox-title" href="#${key}">${key}</a><button></button></li>`)
    .join('');
  const rows = [...document.querySelectorAll<HTMLElement>('li')];
  const titleAfter = (index: number, key: string) => nextTitle(rows[index] as HTMLElement, key)?.textContent;
  expect(['ArrowDown', 'ArrowUp', 'Home', 'End'].map((key) => titleAfter(1, key))).toEqual(['3', '1', '1', '3']);
  expect([titleAfter(0, 'ArrowUp'), titleAfter(2, 'ArrowDown'), titleAfter(1, 'a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
