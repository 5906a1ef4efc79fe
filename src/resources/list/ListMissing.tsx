import { useListContext, useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { EmptyState } from '../../layout/EmptyState';
import { LoadFailed } from '../../layout/LoadFailed';
import { can } from '../../providers/auth';
import { useClearFilters } from './clearFilters';

interface ListMissingProps {
  entity: Entity;
  reason: 'error' | 'rows';
  createPath: string | null;
}

/** In place of rows: what happened and the first step out of it. */
export const ListMissing = ({ entity, reason, createPath }: ListMissingProps) => {
  const translate = useTranslate();
  const { error, refetch, filterValues } = useListContext();
  const clear = useClearFilters();
  if (reason === 'error') return <LoadFailed title={translate('list.error')} error={error} onRetry={refetch} />;
  if (Object.keys(filterValues).length > 0)
    return (
      <EmptyState
        icon="search"
        title={translate('list.nothing_found')}
        text={translate('list.nothing_found_text')}
        action={
          <button type="button" className="sl-button" onClick={clear}>
            {translate('filters.clear')}
          </button>
        }
      />
    );
  return (
    <EmptyState
      title={translate('list.empty')}
      text={translate(`resources.${entity.name}.empty`)}
      action={
        createPath !== null && can(entity.name, 'create') ? (
          <Link className="sl-button sl-button-primary" to={createPath}>
            {translate(`resources.${entity.name}.add`)}
          </Link>
        ) : undefined
      }
    />
  );
};
