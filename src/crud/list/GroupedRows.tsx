import { keepPreviousData } from '@tanstack/react-query';
import { ListContextProvider, type RaRecord, useGetList, useListContext, useTranslate } from 'ra-core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { groupingOf } from '../../../schema/dsl/grouping';
import { localeOf } from '../../../schema/shared/languages';
import { formatNumber } from '../../i18n/format';
import { Icon } from '../../ui/Icon';
import { LoadFailed } from '../../ui/LoadFailed';
import { useIsMobile } from '../../ui/useIsMobile';
import { FieldDisplay } from '../fields/FieldDisplay';
import { useLanguage } from '../shared/useLanguage';
import { Cards } from './Cards';
import type { Column } from './columns';
import { facetLabel } from './facets';
import { HeadCell } from './HeadCell';
import { handleRowKeys } from './keys';
import { ListRow } from './ListRow';
import { type RowsProps, rowNumbers } from './Table';
import { filterOfGroup, type ListGroup, useGroups } from './useGroups';
import './groups.css';

interface GroupedRowsProps extends RowsProps {
  by: string;
}

const groupsAtOnce = 50;
const initialRowCount = 25;
const maxRows = 1000;
/** Cells of grouped rows cannot be edited in place. */
const noCells: ReadonlySet<string> = new Set();

/** The rows grouped by one field. Group headings show counts and sums; the rows of a group load when it is opened. */
export const GroupedRows = (props: GroupedRowsProps) => {
  const { entity, by, columns, peek } = props;
  const translate = useTranslate();
  const isMobile = useIsMobile();
  const { filterValues } = useListContext();
  const isBin = filterValues.trashed === 'only';
  const columnCount = columns.visible.length + (props.selection ? 1 : 0) + (isBin ? 1 : 0);
  const [count, setCount] = useState(groupsAtOnce);
  const [open, setOpen] = useState<ReadonlySet<ListGroup['value']>>(new Set());
  const { data, error, isPending, isPlaceholderData, refetch } = useGroups({ entity, by, columns, count });
  if (error && !data) return <LoadFailed title={translate('list.error')} error={error} onRetry={refetch} />;
  const toggle = (value: ListGroup['value']) => {
    const next = new Set(open);
    if (!next.delete(value)) next.add(value);
    setOpen(next);
  };
  const groups = data?.data ?? [];
  const groupProps = (group: ListGroup) => ({
    ...props,
    group,
    isBin,
    columnCount,
    isOpen: open.has(group.value),
    onToggle: () => toggle(group.value),
  });
  const idOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('tr[data-id]')?.dataset.id;
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const target = event.target as HTMLElement;
    if (target.matches('.sl-group-head') && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      target.querySelector('button')?.click();
    } else
      handleRowKeys(event, {
        edit: () => undefined,
        extend: () => undefined,
        peek: (row) => row.dataset.id && peek?.open(Number(row.dataset.id)),
        closePeek: () => peek?.close() ?? false,
      });
  };
  const movePeek = (id: string | undefined) => {
    if (id && peek?.id !== undefined) peek.open(Number(id));
  };
  const moreButton = data && data.total > groups.length && (
    <MoreButton label="list.more_groups" onClick={() => setCount(count + groupsAtOnce)} />
  );
  return (
    <div className="sl-table-area" aria-busy={isPending || isPlaceholderData}>
      {isMobile ? (
        <div className="sl-group-cards">
          {isPending && rowNumbers(5).map((number) => <div key={number} className="sl-row-card sl-row-card-empty" />)}
          {groups.map((group) => (
            <GroupCards key={String(group.value)} {...groupProps(group)} />
          ))}
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="sl-table-scroll" tabIndex={0} aria-label={translate(`resources.${entity.name}.plural`)}>
          <table className="sl-table" onKeyDown={onKeyDown} onFocus={({ target }) => movePeek(idOf(target))}>
            <thead>
              <tr>
                {props.selection && <td className="sl-tick" />}
                {columns.visible.map((column) => (
                  <HeadCell
                    key={column.name}
                    entity={entity}
                    column={column}
                    width={columns.widths[column.name]}
                    onResize={columns.resize}
                  />
                ))}
                {isBin && <th scope="col">{translate('list.actions')}</th>}
              </tr>
            </thead>
            {isPending && <SkeletonGroups columnCount={columnCount} />}
            {groups.map((group) => (
              <GroupBody key={String(group.value)} {...groupProps(group)} />
            ))}
          </table>
        </section>
      )}
      {moreButton && <p className="sl-group-more">{moreButton}</p>}
    </div>
  );
};

const SkeletonGroups = ({ columnCount }: { columnCount: number }) => (
  <tbody aria-hidden="true">
    {rowNumbers(5).map((number) => (
      <tr key={number} className="sl-skeleton-row">
        <td colSpan={columnCount}>
          <span className="sl-skeleton" />
        </td>
      </tr>
    ))}
  </tbody>
);

const MoreButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" className="sl-text-button" onClick={onClick}>
    {useTranslate()(label)}
  </button>
);

interface GroupProps extends GroupedRowsProps {
  group: ListGroup;
  /** Whether the list shows soft-deleted rows, which have a column with their buttons. */
  isBin: boolean;
  columnCount: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** A group in the table: its heading and, while open, its rows. */
const GroupBody = (props: GroupProps) => {
  const { entity, columns, selection, group } = props;
  const firstSum = columns.visible.findIndex(({ field }) => field.additive);
  const labelSpan = firstSum < 0 ? columns.visible.length : Math.max(1, firstSum);
  return (
    <tbody>
      <tr className="sl-group-head" tabIndex={-1}>
        <th scope="rowgroup" colSpan={labelSpan + (selection ? 1 : 0)}>
          <GroupButton {...props} />
        </th>
        {columns.visible.slice(labelSpan).map((column) => (
          <td key={column.name} className="sl-number">
            {column.field.additive && <Sum entity={entity} column={column} group={group} />}
          </td>
        ))}
        {props.isBin && <td />}
      </tr>
      {props.isOpen && <TableRows {...props} />}
    </tbody>
  );
};

const Sum = ({ entity, column, group }: { entity: Entity; column: Column; group: ListGroup }) => (
  <FieldDisplay entity={entity} source={column.name} record={{ [column.name]: group.sums[column.name] }} cell />
);

/** Button that opens and closes a group, labelled with the group's value and number of rows. */
const GroupButton = ({ entity, by, group, isOpen, onToggle }: GroupProps) => {
  const language = useLanguage();
  return (
    <button type="button" className="sl-group-button" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name={isOpen ? 'down' : 'next'} size={16} />
      <GroupLabel entity={entity} by={by} group={group} />
      <span className="sl-facet-count">{formatNumber(group.count, { language })}</span>
    </button>
  );
};

const GroupLabel = ({ entity, by, group }: Pick<GroupProps, 'entity' | 'by' | 'group'>): ReactNode => {
  const translate = useTranslate();
  const language = useLanguage();
  const { value, label } = group;
  const field = entity.fields[by];
  if (value === null || !field) return translate('facets.without');
  if (groupingOf(field) === 'month')
    return new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${value}-01T00:00:00Z`),
    );
  if (field.kind !== 'ref') return <FieldDisplay entity={entity} source={by} record={{ [by]: value }} cell />;
  return facetLabel({ entity, name: by, option: { value, label: label ?? `#${value}` }, language, none: '' });
};

/** The loaded rows of an open group in the order of the list, and a button that loads more. */
function useGroupRows({ entity, by, columns, group }: GroupProps) {
  const { filterValues, filter, sort } = useListContext();
  const [count, setCount] = useState(initialRowCount);
  const query = useGetList<RaRecord>(
    entity.name,
    {
      pagination: { page: 1, perPage: count },
      sort,
      filter: { ...filterValues, ...filter, ...filterOfGroup(entity, by, group) },
      meta: { include: columns.include },
    },
    { placeholderData: keepPreviousData },
  );
  const { data, total = 0 } = query;
  const hasMore = data !== undefined && total > data.length && count < maxRows;
  const moreButton = hasMore ? (
    <MoreButton label="list.more_rows" onClick={() => setCount(Math.min(maxRows, count + 100))} />
  ) : undefined;
  return { ...query, more: moreButton };
}

const TableRows = (props: GroupProps) => {
  const { entity, columns, selection, peek, isBin, columnCount } = props;
  const translate = useTranslate();
  const { data, error, refetch, more } = useGroupRows(props);
  const wideRow = (content: ReactNode) => (
    <tr>
      <td colSpan={columnCount}>{content}</td>
    </tr>
  );
  if (error && !data)
    return wideRow(<LoadFailed title={translate('list.error')} error={error as Error} onRetry={refetch} />);
  if (!data) return wideRow(<span className="sl-skeleton" aria-hidden="true" />);
  return (
    <>
      {data.map((record) => (
        <ListRow
          key={record.id}
          entity={entity}
          columns={columns}
          record={record}
          selected={selection?.has(record.id) ?? false}
          current={record.id === peek?.id}
          onToggle={selection?.toggle}
          isTabStop={false}
          bin={isBin}
          editable={noCells}
        />
      ))}
      {more && wideRow(more)}
    </>
  );
};

/** A group on a phone: its heading, its sums below, and its rows as cards. */
const GroupCards = (props: GroupProps) => {
  const { entity, columns, group, isOpen } = props;
  const translate = useTranslate();
  const sums = columns.visible.filter(({ field }) => field.additive);
  return (
    <section className="sl-group-card">
      <GroupButton {...props} />
      {sums.length > 0 && (
        <dl>
          {sums.map((column) => (
            <div key={column.name}>
              <dt>{translate(`resources.${entity.name}.fields.${column.name}`)}</dt>
              <dd>
                <Sum entity={entity} column={column} group={group} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isOpen && <CardRows {...props} />}
    </section>
  );
};

const CardRows = (props: GroupProps) => {
  const translate = useTranslate();
  const context = useListContext();
  const { data, error, refetch, more } = useGroupRows(props);
  if (error && !data) return <LoadFailed title={translate('list.error')} error={error as Error} onRetry={refetch} />;
  return (
    <ListContextProvider value={{ ...context, data, isPending: !data } as typeof context}>
      <Cards {...props} loadingReason={undefined} />
      {more}
    </ListContextProvider>
  );
};
