import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { savedViews } from '../../../schema/entities/saved_views';
import { keepColumns } from '../../crud/list/columns';
import { listSearch, listSnapshotOf, type SavedView } from '../../crud/list/savedView';
import { EditPage } from '../../crud/record/EditPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { findEntity } from '../../crud/shared/entities';
import { can } from '../../providers/auth';

/** One saved view, and the way to the list that it shows. */
export const ViewPage = () => (
  <RecordPage entity={savedViews} actions={(view: RaRecord) => <OpenList view={view as SavedView} />} />
);

/** Its name and who it is shared with; what it shows is changed in the list itself. */
export const EditView = () => <EditPage entity={savedViews} without={savedViews.form.list} />;

function OpenList({ view }: { view: SavedView }) {
  const translate = useTranslate();
  const entity = findEntity(view.resource);
  if (!entity || !can(entity.name, 'list')) return null;
  const standing = listSnapshotOf(entity, view, []);
  return (
    <Link
      className="sl-button"
      to={`/${entity.name}?${listSearch(standing)}`}
      onClick={() => view.columns.length > 0 && keepColumns(entity, view.columns, standing.widths)}
    >
      {translate('views.open')}
    </Link>
  );
}
