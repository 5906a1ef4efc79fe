import type { Identifier, RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { memo } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Kind } from '../../../schema/dsl/field';
import { can } from '../../providers/auth';
import { EmailAddress } from '../../ui/EmailAddress';
import { Image } from '../../ui/Image';
import { PathLink } from '../../ui/PathLink';
import { FieldDisplay } from '../fields/FieldDisplay';
import { titleOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { useLanguage } from '../shared/useLanguage';
import type { Columns } from './columns';
import { LazyBinButtons } from './LazyBinButtons';
import { widthStyle } from './widthStyle';

interface ListRowProps {
  entity: Entity;
  columns: Columns;
  record: RaRecord;
  selected: boolean;
  /** Whether the row is open beside the list. */
  current: boolean;
  /** Absent if rows cannot be selected. */
  onToggle?: (id: Identifier, range: boolean) => void;
  /** Whether the Tab key enters the table at this row. */
  isTabStop: boolean;
  /** Whether the row is soft-deleted: it can be restored, but not opened. */
  bin: boolean;
  /** Columns with cells that can be edited in place. */
  editable: ReadonlySet<string>;
  /** Names of the columns with a rejected value, separated by spaces. */
  refusedColumns?: string;
}

/** A table row. Memoized, so that it renders only when its props change. */
export const ListRow = memo(function ListRow({
  entity,
  columns,
  record,
  selected,
  current,
  onToggle,
  isTabStop,
  bin,
  editable,
  refusedColumns,
}: ListRowProps) {
  const translate = useTranslate();
  const name = titleOf(entity, record, useLanguage());
  return (
    <tr tabIndex={isTabStop ? 0 : -1} data-id={record.id} data-chosen={selected} aria-current={current || undefined}>
      {onToggle && (
        <td className="sl-tick">
          <input
            type="checkbox"
            aria-label={translate('list.select_row', { name })}
            checked={selected}
            onClick={({ shiftKey }) => onToggle(record.id, shiftKey)}
            onChange={handledByClick}
          />
        </td>
      )}
      {columns.visible.map(({ name: column, numeric, field }, index) =>
        index === 0 ? (
          <th
            key={column}
            scope="row"
            className="sl-identity"
            style={widthStyle(columns.widths[column])}
            {...(editable.has(column) && cellAttributes(column, refusedColumns))}
          >
            <Identity entity={entity} record={record} source={column} picture={columns.picture} open={!bin} />
          </th>
        ) : (
          <td
            key={column}
            className={numeric ? 'sl-number' : cellClasses[field.kind]}
            style={widthStyle(columns.widths[column])}
            {...(editable.has(column) && cellAttributes(column, refusedColumns))}
          >
            <FieldDisplay entity={entity} source={column} record={record} cell />
          </td>
        ),
      )}
      {bin && (
        <td>
          <LazyBinButtons entity={entity} record={record} />
        </td>
      )}
    </tr>
  );
});

/** Attributes that make a cell focusable and editable. */
const cellAttributes = (column: string, refusedColumns = '') => ({
  tabIndex: -1,
  'data-cell': column,
  'data-wrong': refusedColumns.split(' ').includes(column) || undefined,
});

/** Class of cells by kind. References are truncated first, since their whole value is one click away. */
const cellClasses: Partial<Record<Kind, string>> = { ref: 'sl-ref' };

interface IdentityProps {
  entity: Entity;
  record: RaRecord;
  source: string;
  picture?: string;
  /** Whether the title links to the page of the row. */
  open: boolean;
  /** Whether to show all titles of the row instead of the value of `source`. */
  full?: boolean;
}

/** The title of the row with its image, as a link to its page. */
export const Identity = ({ entity, record, source, picture, open, full = false }: IdentityProps) => {
  const pathOf = usePathOf();
  const language = useLanguage();
  const isTitle = entity.titles.length === 1 && source === entity.titles[0];
  const text =
    full || isTitle || record[source] === null || record[source] === ''
      ? titleOf(entity, record, language)
      : String(record[source]);
  const content = (
    <>
      {picture && (
        <Image className="sl-picture" source={record[picture] as string | null} alt="" width={28} height={28} />
      )}
      <span title={text}>{entity.fields[source]?.kind === 'email' ? <EmailAddress email={text} /> : text}</span>
    </>
  );
  if (!open || !can(entity.name, 'show')) return <span className="sl-identity-link">{content}</span>;
  return (
    <PathLink className="sl-identity-link" to={pathOf(entity.name, record.id)}>
      {content}
    </PathLink>
  );
};

// React requires a change handler beside `checked`. The click handler does the work, because it knows about Shift;
// Space also triggers it.
const handledByClick = () => undefined;
