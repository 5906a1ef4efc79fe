import type { InboxItem } from '../../../schema/endpoints/inbox';

/** What a row offers: actions on the item, its page, and a problem report of its machine. */
export type RowAct = InboxItem['acts'][number] | 'open' | 'report';

/**
 * The actions of a row, most useful first. Users who can only snooze an item open its page and, if it is about a single
 * machine, report what they find there; for the others the title is the link.
 */
export function rowActsOf(
  { kind, count, acts }: Pick<InboxItem, 'kind' | 'count' | 'acts'>,
  { hasPage, canReport }: { hasPage: boolean; canReport: boolean },
): RowAct[] {
  if (acts.some((act) => act !== 'snooze')) return acts;
  const isOneMachine = (kind === 'silent' || kind === 'service') && count === 1;
  return [...(hasPage ? ['open' as const] : []), ...(canReport && isOneMachine ? ['report' as const] : []), ...acts];
}
