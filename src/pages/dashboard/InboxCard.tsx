import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import type { InboxItem } from '../../../schema/endpoints/inbox';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { useInbox } from '../../providers/useInbox';
import { LoadFailed } from '../../ui/LoadFailed';
import { lazyPage } from '../../ui/lazyPage';
import { describeInboxItem } from './describeInboxItem';
import { InboxRow } from './InboxRow';
import { actOfKey, nextTitle } from './inboxKeys';
import type { RowAct } from './rowActsOf';
import { type ItemAct, useInboxActs } from './useInboxActs';
import './inbox.css';

const AssignItem = lazyPage(() => import('./AssignItem'), 'AssignItem');
const SnoozeItem = lazyPage(() => import('./SnoozeItem'), 'SnoozeItem');
const ProblemDialog = lazyPage(() => import('../../resources/machines/ReportProblem'), 'ProblemDialog');

/** Actions that ask for something first. */
type OpenAct = 'assign' | 'snooze' | 'report';

/** Number of rows shown before "Show all". */
const firstRows = 5;

/** The user's inbox items, most severe first. Everything works by mouse, touch and keyboard. */
export const InboxCard = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const [isAside, setAside] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const [openAction, setOpenAction] = useState<{ act: OpenAct; item: InboxItem }>();
  const { data, error, refetch } = useInbox({ aside: isAside });
  const head = useId();
  const card = useRef<HTMLElement>(null);
  const { act, assign, snooze } = useInboxActs(card);
  useScrollToInbox(card);
  const startAction = (item: InboxItem, action: Exclude<RowAct, 'open'>) =>
    action === 'assign' || action === 'snooze' || action === 'report'
      ? setOpenAction({ act: action, item })
      : void act(item, action);
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-key]');
    const item = data?.items.find(({ key }) => key === row?.dataset.key);
    if (!row || !item || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actOfKey(event.key, item.acts);
    const next = nextTitle(row, event.key);
    if (!action && !next) return;
    event.preventDefault();
    next?.focus();
    if (action) startAction(item, action);
  };
  const items = data?.items ?? [];
  const visible = showsAll ? items : items.slice(0, firstRows);
  const close = () => setOpenAction(undefined);
  const title = openAction ? describeInboxItem(openAction.item, translate).title : '';
  const count = (value: number) => formatNumber(value, { language });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for the links and buttons of the rows inside
    <section ref={card} id="inbox" className="sl-inbox" aria-labelledby={head} aria-busy={!data} onKeyDown={handleKey}>
      <header>
        <h2 id={head} tabIndex={-1}>
          {translate('inbox.title')} {data && `(${count(data.total)})`}
        </h2>
        {data && (data.aside > 0 || isAside) && (
          <button type="button" className="sl-inbox-link" onClick={() => setAside(!isAside)}>
            {isAside ? translate('inbox.back') : translate('inbox.aside', { smart_count: data.aside })}
          </button>
        )}
      </header>
      {error && !data && <LoadFailed title={translate('inbox.error')} error={error} onRetry={refetch} />}
      {data && items.length === 0 && <p className="sl-inbox-none">{translate('inbox.none')}</p>}
      <ul>
        {visible.map((item) => (
          <InboxRow key={item.key} item={item} onAct={(action) => startAction(item, action)} />
        ))}
      </ul>
      {items.length > 0 && (
        <footer>
          <KeyHints acts={items[0]?.acts ?? []} />
          {items.length > firstRows && (
            <button type="button" className="sl-inbox-link" onClick={() => setShowsAll(!showsAll)}>
              {translate(showsAll ? 'inbox.fewer' : 'inbox.all', { count: count(items.length) })}
            </button>
          )}
        </footer>
      )}
      <Suspense fallback={null}>
        {openAction?.act === 'assign' && (
          <AssignItem
            title={title}
            onClose={close}
            onAssign={async (userId) => {
              await assign(openAction.item, userId);
              close();
            }}
          />
        )}
        {openAction?.act === 'snooze' && (
          <SnoozeItem
            title={title}
            onClose={close}
            onSnooze={(until) => {
              close();
              void snooze(openAction.item, until);
            }}
          />
        )}
        {openAction?.act === 'report' && (
          <ProblemDialog
            machine={{ id: openAction.item.ids[0] ?? 0, serial_number: openAction.item.names[0] ?? '' }}
            onClose={close}
          />
        )}
      </Suspense>
    </section>
  );
};

const keyOf = { acknowledge: 'A', done: 'A', return: 'A', assign: 'E', snooze: 'S' } as const;

const KeyHints = ({ acts }: { acts: readonly ItemAct[] }) => {
  const translate = useTranslate();
  return (
    <p className="sl-inbox-keys" aria-hidden="true">
      {acts
        .filter((act, index) => acts.findIndex((other) => keyOf[other] === keyOf[act]) === index)
        .map((act) => (
          <span key={act}>
            <kbd>{keyOf[act]}</kbd> {translate(`inbox.acts.${act}`)}
          </span>
        ))}
      <span>
        <kbd>Enter</kbd> {translate('inbox.acts.open')}
      </span>
    </p>
  );
};

/** Scrolls to the card and focuses it if the URL ends in `#inbox`, as the bell's link does. */
function useScrollToInbox(card: { current: HTMLElement | null }): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` differs per navigation, so the same link works again
  useEffect(() => {
    if (hash !== '#inbox') return;
    card.current?.scrollIntoView({ block: 'nearest' });
    (card.current?.querySelector<HTMLElement>('.sl-inbox-title') ?? card.current?.querySelector('h2'))?.focus();
  }, [hash, key, card]);
}
