import { useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { registry } from '../../../schema';
import { ListPage } from '../../crud/list/ListPage';
import { useClearLists } from '../../layout/clearLists';
import { PageHead } from '../../layout/PageHead';
import { TabBar } from '../../ui/TabBar';
import { adminPathOf, sectionPath, sections } from './sections';

/**
 * The administration: CRM, fleets, accounts and authorizations, one list at a time. Changing the tab clears the filters
 * of lists.
 */
export const Admin = () => {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const clearLists = useClearLists();
  const section =
    sections.find(
      (candidate) => pathname === sectionPath(candidate) || pathname.startsWith(`${sectionPath(candidate)}/`),
    ) ?? sections[0];
  const entity = section.entities.find((name) => pathname === adminPathOf(name)) ?? section.entities[0];
  return (
    <>
      <PageHead title={translate('admin.title')} />
      <TabBar
        label={translate('admin.title')}
        tabs={sections.map((candidate) => ({ to: sectionPath(candidate), label: translate(candidate.label) }))}
        current={sectionPath(section)}
        onChosen={clearLists}
      />
      {section.entities.length > 1 && (
        <TabBar
          size="small"
          label={translate(section.label)}
          tabs={section.entities.map((name) => ({
            to: adminPathOf(name),
            label: translate(`resources.${name}.plural`),
          }))}
          current={adminPathOf(entity)}
          onChosen={clearLists}
        />
      )}
      <ListPage key={entity} entity={registry[entity]} embedded addressed />
    </>
  );
};
