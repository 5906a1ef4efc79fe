/** Renderers of audit fields: entities by name, rows as links, actors with impersonation. */
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { DisplayProps } from '../../crud/fields/renderers';
import { Changes } from '../../crud/record/Changes';
import { type ChangeRow, whoOf } from '../../crud/record/fieldChange';
import { findEntity } from '../../crud/shared/entities';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';

export const auditRenderers = {
  entity: (props: DisplayProps) => <Kind {...props} />,
  record_title: ({ record }: DisplayProps) => <About row={record as ChangeRow} />,
  user_name: ({ record }: DisplayProps) => <Who row={record as ChangeRow} />,
  field: (props: DisplayProps) => <Fields {...props} />,
  changes: (props: DisplayProps) => (props.cell ? <Fields {...props} /> : <All row={props.record as ChangeRow} />),
};

const Kind = ({ value }: DisplayProps) => {
  const translate = useTranslate();
  return <span>{translate(`resources.${value}.name`, { smart_count: 1, _: String(value) })}</span>;
};

const Who = ({ row }: { row: ChangeRow }) => {
  const translate = useTranslate();
  return <span>{whoOf(row, translate)}</span>;
};

/** Link to the row by its name at that time; the page of a purged row says so. */
const About = ({ row }: { row: ChangeRow }) => {
  const pathOf = usePathOf();
  const name = row.record_title || `#${row.record_id}`;
  return can(row.entity, 'show') && row.action !== 'remove' ? (
    <Link to={pathOf(row.entity, row.record_id)}>{name}</Link>
  ) : (
    <span>{name}</span>
  );
};

/** Names of the changed fields; in full on hover. */
const Fields = ({ record }: DisplayProps) => {
  const translate = useTranslate();
  const { entity, changes } = record as ChangeRow;
  const names = changes.map(({ field }) => translate(`resources.${entity}.fields.${field}`, { _: field })).join(', ');
  return <span title={names}>{names}</span>;
};

const All = ({ row }: { row: ChangeRow }) => {
  const entity = findEntity(row.entity);
  return entity ? <Changes entity={entity} changes={row.changes} /> : null;
};
