import { type RefObject, useCallback } from 'react';
import { useTranslate } from 'react-admin';
import type { InboxItem } from '../../../schema/endpoints/inbox';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import { errorMessage } from '../../providers/errorMessage';
import { useReloadInbox } from '../../providers/useInbox';
import { useToast } from '../../ui/useToast';

export type ItemAct = InboxItem['acts'][number];

/**
 * Returns functions that run an inbox action. They show the result as a toast, reload the inbox and focus the next row.
 */
export function useInboxActs(card: RefObject<HTMLElement | null>) {
  const translate = useTranslate();
  const toast = useToast();
  const reload = useReloadInbox();
  const finish = useCallback(
    async (item: InboxItem, work: Promise<unknown>, message: string) => {
      const titles = () => [...(card.current?.querySelectorAll<HTMLElement>('.sl-inbox-title') ?? [])];
      const index = titles().findIndex((title) => title.closest<HTMLElement>('[data-key]')?.dataset.key === item.key);
      try {
        await work;
        toast('success', message);
      } finally {
        await reload();
        // Runs after the rows have rendered.
        setTimeout(() => {
          const renderedTitles = titles();
          (
            renderedTitles[Math.min(Math.max(index, 0), renderedTitles.length - 1)] ?? card.current?.querySelector('h2')
          )?.focus();
        });
      }
    },
    [card, reload, toast],
  );
  const toastError = (work: Promise<void>) =>
    work.catch((error: Error) => toast('error', errorMessage(error, translate)));
  return {
    act: (item: InboxItem, act: Exclude<ItemAct, 'assign' | 'snooze'>) =>
      toastError(finish(item, call(`POST /inbox/${act}`, { body: itemRef(item) }), `inbox.acted.${act}`)),
    /** @throws the server's error, for the dialog to show */
    assign: (item: InboxItem, userId: number) =>
      finish(item, call('POST /inbox/assign', { body: { ...itemRef(item), user_id: userId } }), 'inbox.acted.assign'),
    snooze: (item: InboxItem, until: Date) =>
      toastError(
        finish(
          item,
          call('POST /inbox/snooze', { body: { ...itemRef(item), until: until.toISOString() } }),
          translate('inbox.acted.snooze', { time: formatDateTime(until) }),
        ),
      ),
  };
}

const itemRef = ({ key, count }: InboxItem) => ({ key, count });
