import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { printListQuery } from '../../../schema/dsl/listQuery';
import { usePathOf } from '../../crud/shared/paths';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import { EmptyState } from '../../ui/EmptyState';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { RowPages } from '../../ui/RowPages';

const perPage = 20;

/** Unreadable messages with their reasons, and a button that reads them again. */
export function MessagesTab({ integration }: { integration: { id: number } }) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const pathOf = usePathOf();
  const [page, setPage] = useState(1);
  const [isBusy, setBusy] = useState(false);
  const { id } = integration;
  const key = ['integrations', 'messages', id];
  const messages = useQuery({
    queryKey: [...key, page],
    queryFn: ({ signal }) =>
      call('GET /integrations/{id}/messages', {
        params: { id },
        search: printListQuery({ page, per_page: perPage }),
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  useLive(`resource/integrations/${id}`, () => void client.invalidateQueries({ queryKey: key }));

  const replay = async () => {
    setBusy(true);
    try {
      const { data } = await call('POST /integrations/{id}/replay', { params: { id } });
      notify('integrations.replayed', { type: data.unread > 0 ? 'warning' : 'success', messageArgs: { ...data } });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
      setPage(1);
      await client.invalidateQueries({ queryKey: ['integrations'] });
    }
  };

  if (messages.error && !messages.data)
    return (
      <LoadFailed
        title={translate('integrations.messages')}
        error={messages.error}
        onRetry={() => void messages.refetch()}
      />
    );
  if (!messages.data) return <LoadingNotice what="data" />;
  const { data, last_page: pages } = messages.data;
  // Somebody else may have replayed the messages of the last page.
  if (data.length === 0 && page > 1 && !messages.isPlaceholderData) setPage(1);
  if (data.length === 0) return <EmptyState title={translate('integrations.messages_none')} icon="success" />;
  return (
    <section className="sl-section" aria-label={translate('integrations.messages')}>
      <p>{translate('integrations.messages_text')}</p>
      <button type="button" className="sl-button sl-button-primary" disabled={isBusy} onClick={() => void replay()}>
        {translate('integrations.replay')}
      </button>
      <ul className="sl-unread-messages">
        {data.map(({ id: messageId, received_at, times, body, problems }) => (
          <li key={messageId}>
            <header>
              <time dateTime={received_at}>{formatDateTime(received_at)}</time>
              {times > 1 && <span>{translate('integrations.times', { smart_count: times })}</span>}
              <Link to={`${pathOf('integrations', id)}/mapping`} state={{ example: body }}>
                {translate('integrations.as_example')}
              </Link>
            </header>
            <ul className="sl-integration-problems">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
            <pre>{body.length > 2000 ? `${body.slice(0, 2000)}…` : body}</pre>
          </li>
        ))}
      </ul>
      {pages > 1 && <RowPages page={page} pages={pages} onPage={setPage} />}
    </section>
  );
}
