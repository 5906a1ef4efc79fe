import { useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { type EntityName, registry } from '../../../schema';
import type { ListComponent } from '../../crud/list/ListPage';
import { useClearLists } from '../../layout/useClearLists';
import { PageHead } from '../../ui/PageHead';
import { TabBar } from '../../ui/TabBar';
import { adminPathOf, sectionPath, sections } from './sections';

/**
 * The administration: CRM, fleets, accounts and authorizations, one list at a time. Changing the tab clears the filters
 * of lists. `listPageOf` must return the entity's own list page, or the generated one.
 */
export const Admin = ({ listPageOf }: { listPageOf: (name: EntityName) => ListComponent }) => {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const clearLists = useClearLists();
  const section =
    sections.find(
      (candidate) => pathname === sectionPath(candidate) || pathname.startsWith(`${sectionPath(candidate)}/`),
    ) ?? sections[0];
  const name = section.entities.find((candidate) => pathname === adminPathOf(candidate)) ?? section.entities[0];
  const List = listPageOf(name);
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
          tabs={section.entities.map((candidate) => ({
            to: adminPathOf(candidate),
            label: translate(`resources.${candidate}.plural`),
          }))}
          current={adminPathOf(name)}
          onChosen={clearLists}
        />
      )}
      <List key={name} entity={registry[name]} embedded syncsAddress />
    </>
  );
};
