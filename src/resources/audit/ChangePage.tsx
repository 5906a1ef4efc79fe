import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { registry } from '../../../schema/index';
import { Changes } from '../../crud/record/Changes';
import { Details } from '../../crud/record/Details';
import type { ChangeRow } from '../../crud/record/fieldChange';
import { RecordPage } from '../../crud/record/RecordPage';
import { findEntity } from '../../crud/shared/entities';
import { usePathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';

/** The page of an audit entry: time, actor, row, and every field before and after. */
export function ChangePage() {
  const translate = useTranslate();
  return (
    <RecordPage
      entity={registry.audit}
      actions={(record) => <OpenRecord row={record as ChangeRow} />}
      details={{
        label: translate('record.details'),
        element: (record) => (
          <>
            <Details entity={registry.audit} record={record} groups={facts} ages={false} />
            <ChangedFields row={record as ChangeRow} />
          </>
        ),
      }}
    />
  );
}

const facts = [{ name: 'details', fields: ['at', 'user_name', 'action', 'entity', 'record_title'] }];

/** The changed fields; renders nothing if there are none. */
const ChangedFields = ({ row }: { row: ChangeRow }) => {
  const translate = useTranslate();
  const entity = findEntity(row.entity);
  if (!entity || row.changes.length === 0) return null;
  return (
    <section className="sl-section sl-change-values">
      <h2>{translate('resources.audit.fields.changes')}</h2>
      <Changes entity={entity} changes={row.changes} />
    </section>
  );
};

const OpenRecord = ({ row }: { row: ChangeRow }) => {
  const pathOf = usePathOf();
  const translate = useTranslate();
  if (row.action === 'remove' || !can(row.entity, 'show')) return null;
  return (
    <Link className="sl-button" to={pathOf(row.entity, row.record_id)}>
      {translate('history.open')}
    </Link>
  );
};
