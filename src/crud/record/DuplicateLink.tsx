import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { type Entity, isCreatable } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { Icon } from '../../ui/Icon';
import { writableOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';

/**
 * Opens the create form with the values of this row, except unique ones. Renders nothing if the user may not create
 * rows.
 */
export const DuplicateLink = ({ entity, record }: { entity: Entity; record: RaRecord }) => {
  const pathOf = usePathOf();
  const translate = useTranslate();
  if (!isCreatable(entity) || !can(entity.name, 'create')) return null;
  return (
    <Link
      className="sl-button"
      aria-label={translate('record.duplicate')}
      title={translate('record.duplicate')}
      to={pathOf(entity.name, 'create')}
      state={{ record: copyOf(entity, record) }}
    >
      <Icon name="copy" size={16} />
    </Link>
  );
};

/** Initial values of a copy. Never contains unique values, files or secrets. */
export function copyOf(entity: Entity, record: RaRecord): Record<string, unknown> {
  const copiedNames = writableOf(entity, 'create').filter((name) => {
    const field = entity.fields[name];
    return (
      field &&
      !field.unique &&
      !['password', 'image', 'records'].includes(field.kind) &&
      record[name] !== null &&
      record[name] !== undefined
    );
  });
  return Object.fromEntries(copiedNames.map((name) => [name, record[name]]));
}
