import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import './account.css';

interface AccountItemListProps<T> {
  query: UseQueryResult<T[]>;
  empty?: string;
  row: (item: T) => { title: ReactNode; mark?: string; details: ReactNode; action?: ReactNode };
}

/** A list of the user's items, one line with actions per item. */
export function AccountItemList<T extends { id: number }>({ query, empty, row }: AccountItemListProps<T>) {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = query;
  if (isPending) return <LoadingNotice what="data" />;
  if (!data)
    return <LoadFailed title={translate('account.not_loaded_list')} error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return <p className="sl-none">{empty}</p>;
  return (
    <ul className="sl-account-list">
      {data.map((item) => {
        const { title, mark, details, action } = row(item);
        return (
          <li key={item.id}>
            <div>
              <p>
                <strong>{title}</strong>
                {mark && <span className="sl-account-list__mark">{mark}</span>}
              </p>
              <p className="sl-account-list__details">{details}</p>
            </div>
            {action}
          </li>
        );
      })}
    </ul>
  );
}
