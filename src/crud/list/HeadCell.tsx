import { useListContext, useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import type { Column } from './columns';
import { WidthHandle } from './WidthHandle';
import { widthStyle } from './widthStyle';

interface HeadCellProps {
  entity: Entity;
  column: Column;
  width: number | undefined;
  onResize: (name: string, width: number | undefined) => void;
}

/** A column head: label with unit, sort button if the column has an order, handle for the width. */
export const HeadCell = ({ entity, column, width, onResize }: HeadCellProps) => {
  const translate = useTranslate();
  const { sort, setSort } = useListContext();
  const label = translate(`resources.${entity.name}.fields.${column.name}`);
  const unit = headUnitOf(column);
  const text = (
    <>
      <span>{label}</span>
      {unit && <span className="sl-unit">{unit === 's' ? 'h' : translate(`units.${unit}`)}</span>}
    </>
  );
  const isSorted = column.sort !== undefined && sort.field === column.sort;
  const order = sort.order === 'DESC' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      aria-label={label}
      className={column.numeric ? 'sl-number' : undefined}
      style={widthStyle(width)}
      aria-sort={isSorted ? order : undefined}
    >
      {column.sort === undefined ? (
        <span className="sl-head">{text}</span>
      ) : (
        <button
          type="button"
          className="sl-head"
          title={translate('list.sort_by', { column: label })}
          onClick={() =>
            setSort({ field: column.sort as string, order: isSorted && order === 'ascending' ? 'DESC' : 'ASC' })
          }
        >
          {text}
          <Icon name="down" size={14} className={isSorted ? `sl-sorted sl-sorted-${order}` : 'sl-unsorted'} />
        </button>
      )}
      <WidthHandle label={label} width={width} onResize={(next) => onResize(column.name, next)} />
    </th>
  );
};

/** Amounts have the currency sign in the cell. */
export const headUnitOf = ({ field }: Column) => (field.kind === 'money' ? undefined : field.unit);
