import './history.css';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { fetchRows } from '../../providers/rows';
import { useLive } from '../../providers/useLive';
import { LoadFailed } from '../../ui/LoadFailed';
import { RelativeTime } from '../../ui/RelativeTime';
import { Changes } from './Changes';
import { actorName, auditKey, type ChangeRow, type FieldChange } from './fieldChange';

const perPage = 20;

/** The history of a row, newest first, with values before and after. Earlier values can be restored. */
export const HistoryTab = ({ entity, record }: { entity: Entity; record: RaRecord }) => {
  const translate = useTranslate();
  const client = useQueryClient();
  const queryKey = [...auditKey, entity.name, record.id];
  const filter = [
    { path: 'entity', values: [entity.name] },
    { path: 'record_id', values: [String(record.id)] },
  ];
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchRows('audit', { page: pageParam, per_page: perPage, filter, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ current_page, last_page }) => (current_page < last_page ? current_page + 1 : undefined),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  useLive(`resource/${entity.name}/${record.id}`, () => void client.invalidateQueries({ queryKey }));
  if (error && !data)
    return <LoadFailed title={translate('errors.generic')} error={error} onRetry={() => void refetch()} />;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section className="sl-section sl-history" aria-busy={isPending}>
      <h2>{translate('history.title')}</h2>
      {isPending && <span className="sl-skeleton" aria-hidden="true" />}
      {!isPending && rows.length === 0 && <p className="sl-history-empty">{translate('history.empty')}</p>}
      <ol>
        {rows.map((row) => (
          <li key={row.id}>
            <p className="sl-history-head">
              <span className="sl-tag" data-action={row.action}>
                {translate(`resources.audit.choices.action.${row.action}`)}
              </span>
              <strong>{actorName(row, translate)}</strong>
              <RelativeTime value={row.at} />
            </p>
            <Body entity={entity} record={record} row={row} />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button type="button" className="sl-button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {translate('history.more')}
        </button>
      )}
    </section>
  );
};

const Body = ({ entity, record, row }: { entity: Entity; record: RaRecord; row: ChangeRow }) => {
  const translate = useTranslate();
  const changes: readonly FieldChange[] = row.changes;
  if (changes.length > 0)
    return <Changes entity={entity} changes={changes} record={row.action === 'edit' ? record : undefined} />;
  return row.action === 'edit' ? <p className="sl-history-empty">{translate('history.hidden')}</p> : null;
};
