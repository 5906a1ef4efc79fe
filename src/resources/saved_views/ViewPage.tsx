import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { savedViews } from '../../../schema/entities/saved_views';
import { storeColumns } from '../../crud/list/columns';
import { listSearch, listSnapshotOf, type SavedView } from '../../crud/list/savedView';
import { EditPage } from '../../crud/record/EditPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { findEntity } from '../../crud/shared/entities';
import { can } from '../../providers/auth';

/** The page of a saved view, with a link to its list. */
export const ViewPage = () => (
  <RecordPage entity={savedViews} actions={(view: RaRecord) => <OpenList view={view as SavedView} />} />
);

/** Edits name and sharing only; filters and columns are changed in the list. */
export const EditView = () => <EditPage entity={savedViews} omittedFields={savedViews.form.list} />;

function OpenList({ view }: { view: SavedView }) {
  const translate = useTranslate();
  const entity = findEntity(view.resource);
  if (!entity || !can(entity.name, 'list')) return null;
  const target = listSnapshotOf(entity, view, []);
  return (
    <Link
      className="sl-button"
      to={`/${entity.name}?${listSearch(target)}`}
      onClick={() => view.columns.length > 0 && storeColumns(entity, view.columns, target.widths)}
    >
      {translate('views.open')}
    </Link>
  );
}
