import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { EmptyState } from '../../layout/EmptyState';
import { LoadingNotice } from '../../layout/LoadingNotice';
import { pathOf } from '../entities';
import type { OneRow } from './useRow';

/** In place of a row that is not there: still loading, out of reach, or the answer failed. */
export const Missing = ({ entity, row: { error, refetch } }: { entity: Entity; row: OneRow }) => {
  const translate = useTranslate();
  if (!error) return <LoadingNotice what="data" />;
  if (error.status === 404)
    return (
      <EmptyState
        level={1}
        icon="search"
        title={translate('record.not_found')}
        text={translate('record.not_found_text')}
        action={
          <Link className="sl-button" to={pathOf(entity.name)}>
            {translate('record.to_list')}
          </Link>
        }
      />
    );
  return (
    <EmptyState
      level={1}
      icon="warning"
      title={translate('errors.generic')}
      text={translate(error.message, { _: error.message })}
      action={
        <button type="button" className="sl-button" onClick={() => void refetch()}>
          {translate('list.retry')}
        </button>
      }
    />
  );
};
