import { HttpError, useListContext, useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { unknownParameters } from '../../providers/errorMessage';
import { pollNow } from '../../providers/reachability';
import { EmptyState } from '../../ui/EmptyState';
import { LoadFailed } from '../../ui/LoadFailed';
import { defaultSort } from '../shared/defaultSort';
import { removalTextsOf } from '../shared/removalTexts';
import { useIsLinked } from '../shared/useIsLinked';
import { useClearFilters } from './useClearFilters';

interface ListMissingProps {
  entity: Entity;
  reason: 'error' | 'rows';
  createPath: string | null;
}

const unreachable = new HttpError('errors.network', 0);

/** Shown in place of rows: why there are none, and what to do next. */
export const ListMissing = ({ entity, reason, createPath }: ListMissingProps) => {
  const translate = useTranslate();
  const { error, refetch, filterValues, setSort } = useListContext();
  const clear = useClearFilters();
  const isLinked = useIsLinked({ enabled: reason === 'rows' });
  const reset = () => {
    setSort(defaultSort(entity));
    clear();
  };
  if (reason === 'error') {
    // No error yet: the list keeps trying while the server is unreachable.
    if (!error) return <LoadFailed title={translate('list.error')} error={unreachable} onRetry={pollNow} />;
    // With an unknown filter the button clears the filters, since repeating the request cannot help.
    const retryProps =
      error && unknownParameters(error) ? { label: translate('filters.clear'), onRetry: reset } : { onRetry: refetch };
    return <LoadFailed title={translate('list.error')} error={error} {...retryProps} />;
  }
  const [firstFilter, ...others] = Object.entries(filterValues);
  if (firstFilter?.[0] === 'trashed' && firstFilter[1] === 'only' && others.length === 0)
    return (
      <EmptyState
        icon={removalTextsOf(entity).icon}
        title={translate(removalTextsOf(entity).bin.empty)}
        text={translate(removalTextsOf(entity).bin.emptyText)}
        action={
          <button type="button" className="sl-button" onClick={clear}>
            {translate('bin.leave')}
          </button>
        }
      />
    );
  if (!isLinked) return <EmptyState title={translate('list.not_linked')} text={translate('list.not_linked_text')} />;
  if (firstFilter)
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
