import { useTranslate } from 'ra-core';
import { Link, useLocation } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { crumbsAbove, useCrumbs } from '../../ui/crumbs';
import { EmptyState } from '../../ui/EmptyState';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { useTitle } from '../../ui/useTitle';
import { usePathOf } from '../shared/paths';
import type { RowQuery } from './useRow';

interface PlaceholderProps {
  entity: Entity;
  row: RowQuery;
}

/** Shown in place of a row that is loading, was not found or failed to load. */
export const RecordPlaceholder = ({ entity, row }: PlaceholderProps) =>
  row.error ? <LoadFailure entity={entity} row={row} error={row.error} /> : <LoadingNotice what="data" />;

const LoadFailure = ({ entity, row, error }: PlaceholderProps & { error: NonNullable<RowQuery['error']> }) => {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const isNotFound = error.status === 404;
  const headerName = isNotFound ? 'record.not_found' : 'errors.generic';
  const list = `resources.${entity.name}.plural`;
  const title = translate(headerName);
  useTitle(`${title} · ${translate(list)}`);
  useCrumbs([...crumbsAbove(useLocation().pathname), { headerName }]);
  if (isNotFound)
    return (
      <EmptyState
        level={1}
        icon="search"
        title={title}
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
      title={title}
      text={translate(error.message, { _: error.message })}
      action={
        <button type="button" className="sl-button" onClick={() => void row.refetch()}>
          {translate('list.retry')}
        </button>
      }
    />
  );
};
