import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { type ReactNode, Suspense } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { stateNames } from '../../../schema/entities/machines';
import { can } from '../../providers/auth';
import { useRecordView } from '../../providers/useRecentlyViewed';
import { Icon } from '../../ui/Icon';
import { useKey } from '../../ui/keys';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazyPage } from '../../ui/lazyPage';
import { PageHead } from '../../ui/PageHead';
import { TabBar } from '../../ui/TabBar';
import { FieldDisplay } from '../fields/FieldDisplay';
import { isEditable, titleOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { useLanguage } from '../shared/useLanguage';
import { DeleteButton } from './DeleteButton';
import { Details } from './Details';
import { DuplicateLink } from './DuplicateLink';
import type { FieldSelector } from './EntityForm';
import './merge.css';
import { Neighbours } from './Neighbours';
import { RecordPlaceholder } from './RecordPlaceholder';
import { JustChanged, useJustChanged } from './useJustChanged';
import './record.css';
import { useRow } from './useRow';

const HistoryTab = lazyPage(() => import('./HistoryTab'), 'HistoryTab');

export interface RecordTab {
  /** Path segment below the record: `logs` is `/machines/7/logs`. */
  name: string;
  label: string;
  element: (record: RaRecord) => ReactNode;
}

interface RecordPageProps {
  entity: Entity;
  /** Tabs after the details. */
  tabs?: readonly RecordTab[];
  /** Replaces label and content of the first tab. */
  details?: { label: string; element: (record: RaRecord) => ReactNode; isForm?: boolean };
  /** Returns the fields to hide for the row's values. */
  hiddenFields?: FieldSelector;
  /** Content between the page head and the tabs. */
  head?: (record: RaRecord) => ReactNode;
  /** Further actions in the page head. */
  actions?: (record: RaRecord) => ReactNode;
  /** The primary action of rows without a form. */
  primary?: (record: RaRecord) => ReactNode;
}

/** The page of a row: title, state, fields by group, tabs, edit and delete. */
export const RecordPage = ({
  entity,
  tabs: ownTabs = [],
  details,
  hiddenFields,
  head,
  actions,
  primary,
}: RecordPageProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const row = useRow(entity);
  const { pathname } = useLocation();
  const pathOf = usePathOf();
  const navigate = useNavigate();
  const { record } = row;
  const justChanged = useJustChanged(entity, record);
  const title = titleOf(entity, record, language);
  useRecordView({ entity: entity.name, id: record?.id, title });
  const hasEditPage = isEditable(entity) && !details?.isForm;
  useKey('e', record && hasEditPage ? () => navigate(pathOf(entity.name, record.id, 'edit')) : undefined);
  if (!record) return <RecordPlaceholder entity={entity} row={row} />;

  const recordPath = pathOf(entity.name, record.id);
  const history = {
    name: 'history',
    label: translate('history.title'),
    element: (row: RaRecord) => (
      <Suspense fallback={<LoadingNotice what="data" />}>
        <HistoryTab entity={entity} record={row} />
      </Suspense>
    ),
  };
  const tabs: readonly RecordTab[] =
    entity.scope !== 'record' && can('audit', 'list') ? [...ownTabs, history] : ownTabs;
  const tab = pathname.startsWith(`${recordPath}/`) ? pathname.slice(recordPath.length + 1).replace(/\/+$/, '') : '';
  const openTab = tabs.find(({ name }) => name === tab);
  if (tab !== '' && !openTab) return <Navigate to={recordPath} replace />;

  const state = Object.entries(entity.fields).find(([, { choices }]) => choices === stateNames)?.[0];
  const tabLinks = [
    { to: recordPath, label: details?.label ?? translate('record.details') },
    ...tabs.map(({ name, label }) => ({ to: `${recordPath}/${name}`, label })),
  ];
  return (
    <article className="sl-record">
      <PageHead
        title={title}
        tab={openTab?.label}
        mark={state && <FieldDisplay entity={entity} source={state} record={record} />}
        menu={
          <>
            <Neighbours entity={entity} id={record.id} tab={tab} />
            {actions?.(record)}
            <DuplicateLink entity={entity} record={record} />
            <DeleteButton entity={entity} record={record} />
          </>
        }
        primary={
          hasEditPage ? (
            <Link className="sl-button sl-button-primary" to={pathOf(entity.name, record.id, 'edit')}>
              <Icon name="edit" size={16} />
              {translate('record.edit')}
            </Link>
          ) : (
            primary?.(record)
          )
        }
      />
      {head?.(record)}
      {tabs.length > 0 && (
        <TabBar tabs={tabLinks} current={openTab ? `${recordPath}/${openTab.name}` : recordPath} label={title} />
      )}
      {/* What was typed or chosen in a tab belongs to one record; the next one must not inherit it. */}
      <JustChanged.Provider key={record.id} value={justChanged}>
        {openTab ? (
          openTab.element(record)
        ) : details ? (
          details.element(record)
        ) : (
          <Details entity={entity} record={record} omittedFields={hiddenFields?.(record)} />
        )}
      </JustChanged.Provider>
    </article>
  );
};
