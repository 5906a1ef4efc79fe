import { useListContext, useTranslate } from 'ra-core';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type Entity, isCreatable } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import type { Filters } from '../../providers/filters';
import { Dropdown } from '../../ui/Dropdown';
import type { DropdownEntry } from '../../ui/DropdownPanel';
import { Icon } from '../../ui/Icon';
import { lazyPage } from '../../ui/lazyPage';
import { removalTextsOf } from '../shared/removalTexts';
import type { Columns } from './columns';

const ExportDialog = lazyPage(() => import('./ExportDialog'), 'ExportDialog');
const PrintedList = lazyPage(() => import('./PrintedList'), 'PrintedList');
const ColumnsDialog = lazyPage(() => import('./ColumnsDialog'), 'ColumnsDialog');

interface ListMenuProps {
  entity: Entity;
  columns: Columns;
  compact: boolean;
  onCompact: (compact: boolean) => void;
}

/** Menu with further actions of a list: columns, row height, downloads, print, bin. */
export const ListMenu = ({ entity, columns, compact, onCompact }: ListMenuProps) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { sort, filterValues, filter, setFilters, refetch, total = 0 } = useListContext();
  const [isChoosingColumns, setChoosingColumns] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const isBin = filterValues.trashed === 'only';

  const entry = (key: string, run: () => void): DropdownEntry => ({ text: translate(key), run });
  const toggle = (key: string, isChecked: boolean, run: () => void): DropdownEntry => ({
    ...entry(key, run),
    role: 'menuitemcheckbox',
    isChecked,
  });
  return (
    <>
      <button type="button" className="sl-button" onClick={() => setChoosingColumns(true)}>
        <Icon name="columns" size={16} />
        {translate('list.columns')}
      </button>
      <Dropdown
        className="sl-button sl-button-square"
        label={translate('list.more')}
        title={translate('list.more')}
        align="end"
        entries={() => [
          ...(can(entity.name, 'import') && isCreatable(entity)
            ? [entry('imports.menu', () => navigate(`/${entity.name}/import`))]
            : []),
          ...(can(entity.name, 'export') ? [entry('files.open', () => setExporting(true))] : []),
          entry('list.print', () => setPrinting(true)),
          ...(entitiesWithReports.has(entity.name) ? [entry('reporting.title', () => navigate('/reports'))] : []),
          entry('list.refresh', () => refetch()),
          toggle('list.compact', compact, () => onCompact(!compact)),
          ...(can(entity.name, 'delete')
            ? [
                toggle(removalTextsOf(entity).bin.label, isBin, () =>
                  setFilters(isBin ? omit(filterValues, 'trashed') : { ...filterValues, trashed: 'only' }),
                ),
              ]
            : []),
        ]}
      >
        <Icon name="more" size={18} />
      </Dropdown>
      {isChoosingColumns && (
        <Suspense fallback={null}>
          <ColumnsDialog entity={entity} columns={columns} onClose={() => setChoosingColumns(false)} />
        </Suspense>
      )}
      {isPrinting && (
        <Suspense fallback={null}>
          <PrintedList entity={entity} columns={columns} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
      {isExporting && (
        <Suspense fallback={null}>
          <ExportDialog
            entity={entity}
            columns={columns.visible}
            widths={columns.widths}
            sort={sort}
            filter={{ ...filterValues, ...filter } as Filters}
            count={total}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      )}
    </>
  );
};

/** Entities for which reports exist. */
const entitiesWithReports: ReadonlySet<string> = new Set(['machines', 'clients', 'fleets', 'locations']);

const omit = (filters: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => key !== name));
