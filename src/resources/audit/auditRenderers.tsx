/** Renderers of audit fields: entities by name, rows as links, actors with impersonation. */
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { DisplayProps } from '../../crud/fields/renderers';
import { Changes } from '../../crud/record/Changes';
import { actorName, type ChangeRow } from '../../crud/record/fieldChange';
import { findEntity } from '../../crud/shared/entities';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';

export const auditRenderers = {
  entity: (props: DisplayProps) => <EntityLabel {...props} />,
  record_title: ({ record }: DisplayProps) => <RecordLink row={record as ChangeRow} />,
  user_name: ({ record }: DisplayProps) => <Actor row={record as ChangeRow} />,
  field: (props: DisplayProps) => <FieldNames {...props} />,
  changes: (props: DisplayProps) =>
    props.cell ? <FieldNames {...props} /> : <AllChanges row={props.record as ChangeRow} />,
};

const EntityLabel = ({ value }: DisplayProps) => {
  const translate = useTranslate();
  return <span>{translate(`resources.${value}.name`, { smart_count: 1, _: String(value) })}</span>;
};

const Actor = ({ row }: { row: ChangeRow }) => {
  const translate = useTranslate();
  return <span>{actorName(row, translate)}</span>;
};

/** The row's name at that time, as a link unless the entry is about its purge. */
const RecordLink = ({ row }: { row: ChangeRow }) => {
  const pathOf = usePathOf();
  const name = row.record_title || `#${row.record_id}`;
  return can(row.entity, 'show') && row.action !== 'remove' ? (
    <Link to={pathOf(row.entity, row.record_id)}>{name}</Link>
  ) : (
    <span>{name}</span>
  );
};

/** Names of the changed fields; all of them on hover. */
const FieldNames = ({ record }: DisplayProps) => {
  const translate = useTranslate();
  const { entity, changes } = record as ChangeRow;
  const names = changes.map(({ field }) => translate(`resources.${entity}.fields.${field}`, { _: field })).join(', ');
  return <span title={names}>{names}</span>;
};

const AllChanges = ({ row }: { row: ChangeRow }) => {
  const entity = findEntity(row.entity);
  return entity ? <Changes entity={entity} changes={row.changes} /> : null;
};
