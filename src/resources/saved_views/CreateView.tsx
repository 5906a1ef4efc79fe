import { type RaRecord, useRecordFromLocation, useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { savedViews } from '../../../schema/entities/saved_views';
import { entities } from '../../../schema/index';
import { CreatePage } from '../../crud/record/CreatePage';
import { pathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { PageHead } from '../../ui/PageHead';
import './views.css';

/**
 * The create form, if the URL contains the view to duplicate; otherwise explains that views are created from the
 * list that they show.
 */
export const CreateView = () => {
  const translate = useTranslate();
  const fromAddress = useRecordFromLocation() as Partial<RaRecord> | null;
  const { list: listFields = [] } = savedViews.form;
  if (fromAddress?.resource)
    return (
      <CreatePage
        entity={savedViews}
        omittedFields={listFields}
        defaults={Object.fromEntries(
          listFields.flatMap((name) => (name in fromAddress ? [[name, fromAddress[name]]] : [])),
        )}
      />
    );
  return (
    <>
      <PageHead title={translate('resources.saved_views.add')} />
      <p className="sl-view-how">
        {translate('views.how', { save: translate('views.save'), views: translate('views.title') })}
      </p>
      <ul className="sl-view-lists">
        {entities
          .filter(({ name }) => can(name, 'list'))
          .map(({ name }) => (
            <li key={name}>
              <Link to={pathOf(name)}>{translate(`resources.${name}.plural`)}</Link>
            </li>
          ))}
      </ul>
    </>
  );
};
