import { useIsFetching } from '@tanstack/react-query';
import {
  type DataProvider,
  type Identifier,
  type RaRecord,
  type SortPayload,
  useDataProvider,
  useListContext,
  useNotify,
  useTranslate,
} from 'ra-core';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { maxPerPage } from '../../../schema/dsl/listQuery';
import { formatDateTime, formatNumber } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { type Filters, flattenFilters } from '../../providers/filters';
import { ExactTimes } from '../../ui/RelativeTime';
import { BulkProgress } from '../bulk/BulkProgress';
import { FieldDisplay } from '../fields/FieldDisplay';
import { ConditionTexts } from '../filter/ConditionTexts';
import { conditionKey, groupConditions, parseConditions } from '../filter/conditions';
import { removalTextsOf } from '../shared/removalTexts';
import { useCountText } from '../shared/useCountText';
import { useLanguage } from '../shared/useLanguage';
import type { Columns } from './columns';
import { headUnitOf } from './HeadCell';
import './print.css';
import { Identity } from './ListRow';

/** Maximum number of rows that can be printed at once. */
export const maxPrintedRows = 10_000;

interface PrintedListProps {
  entity: Entity;
  columns: Columns;
  onClose: () => void;
}

/** Loads all matching rows, with progress, and prints them. Rejects lists of more than `maxPrintedRows` rows. */
export const PrintedList = ({ entity, columns, onClose }: PrintedListProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const language = useLanguage();
  const provider = useDataProvider();
  const { sort, filterValues, filter, total } = useListContext();
  // List parameters at the time when the user chose to print.
  const [query] = useState({ sort, filter: { ...filterValues, ...filter } as Filters, include: columns.include });
  const [count, setCount] = useState(total ?? 0);
  const [loadedCount, setLoadedCount] = useState(0);
  const [rows, setRows] = useState<readonly RaRecord[]>();
  const controllerRef = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once, with the initial parameters
  useEffect(() => {
    const controller = new AbortController();
    controllerRef.current = controller;
    const progress = (loadedCount: number, total: number) => {
      setLoadedCount(loadedCount);
      setCount(total);
    };
    loadRows({ provider, entity, ...query, progress, signal: controller.signal }).then(
      (allRows) => {
        if (allRows) return setRows(allRows);
        const max = formatNumber(maxPrintedRows, { language });
        notify('list.print_most', { type: 'warning', messageArgs: { most: max }, autoHideDuration: 8000 });
        onClose();
      },
      (error: Error) => {
        if (controller.signal.aborted) return;
        notify(error.message, { type: 'error' });
        onClose();
      },
    );
    return () => controller.abort();
  }, []);
  if (!rows)
    return (
      <BulkProgress
        title={translate('list.print_loading')}
        count={loadedCount}
        total={count}
        stop={() => {
          controllerRef.current?.abort();
          onClose();
        }}
      />
    );
  return <Paper entity={entity} columns={columns} rows={rows} filter={query.filter} onClose={onClose} />;
};

interface RowsRequest {
  provider: DataProvider;
  entity: Entity;
  sort: SortPayload;
  filter: Filters;
  include: readonly string[];
  progress: (loaded: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Loads all pages. Rows that move between pages meanwhile are included once. `undefined` if there are too many rows.
 */
async function loadRows({
  provider,
  entity,
  sort,
  filter,
  include,
  progress,
  signal,
}: RowsRequest): Promise<readonly RaRecord[] | undefined> {
  const rows = new Map<Identifier, RaRecord>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, total = 0 } = await provider.getList<RaRecord>(entity.name, {
      pagination: { page, perPage: maxPerPage },
      sort,
      filter,
      meta: { include },
      signal,
    });
    if (total > maxPrintedRows) return undefined;
    for (const row of data) rows.set(row.id, row);
    pages = Math.ceil(total / maxPerPage);
    progress(rows.size, total);
  }
  return [...rows.values()];
}

interface PaperProps extends PrintedListProps {
  rows: readonly RaRecord[];
  filter: Filters;
}

/** Milliseconds before printing, so that requests for the names of related rows can start. */
const namesDelay = 100;

/** The printed page. Mounted outside the application's root and visible only in print; closes after printing. */
const Paper = ({ entity, columns, rows, filter, onClose }: PaperProps) => {
  const translate = useTranslate();
  const countText = useCountText();
  const [printedAt] = useState(() => formatDateTime(serverNow()));
  const loading = useIsFetching({ predicate: ({ queryKey }) => queryKey[1] === 'getMany' });
  useEffect(() => {
    window.addEventListener('afterprint', onClose);
    return () => window.removeEventListener('afterprint', onClose);
  }, [onClose]);
  useEffect(() => {
    if (loading > 0) return;
    const timer = setTimeout(() => window.print(), namesDelay);
    return () => clearTimeout(timer);
  }, [loading]);
  const flatFilters = flattenFilters(filter);
  const conditions = parseConditions(entity, flatFilters);
  return createPortal(
    <ExactTimes value={true}>
      <article className="sl-printed">
        <h1>{translate(`resources.${entity.name}.plural`)}</h1>
        <p>
          {countText('list.count', rows.length)} · {translate('list.printed_at', { at: printedAt })}
        </p>
        <ul>
          {flatFilters.trashed !== undefined && <li>{translate(removalTextsOf(entity).bin.label)}</li>}
          {flatFilters.search !== undefined && (
            <li>
              {translate('list.search')}: {translate('filters.quoted', { value: String(flatFilters.search) })}
            </li>
          )}
          {groupConditions(conditions).map((group) => (
            <li key={group.map(conditionKey).join()}>
              <ConditionTexts entity={entity} conditions={group}>
                {(name, phrase) => `${name}: ${phrase}`}
              </ConditionTexts>
            </li>
          ))}
        </ul>
        <table>
          <thead>
            <tr>
              {columns.visible.map((column) => {
                const unit = headUnitOf(column);
                const label = translate(`resources.${entity.name}.fields.${column.name}`);
                return (
                  <th key={column.name} scope="col">
                    {unit ? `${label} (${unit === 's' ? 'h' : translate(`units.${unit}`)})` : label}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((record) => (
              <tr key={record.id}>
                {columns.visible.map(({ name, numeric }, index) => (
                  <td key={name} className={numeric ? 'sl-number' : undefined}>
                    {index === 0 ? (
                      <Identity entity={entity} record={record} source={name} open={false} />
                    ) : (
                      <FieldDisplay entity={entity} source={name} record={record} cell />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </article>
    </ExactTimes>,
    document.body,
  );
};
