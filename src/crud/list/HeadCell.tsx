import { type SortPayload, useEvent, useListContext, useTranslate } from 'ra-core';
import { memo } from 'react';
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

/** A column heading: label with unit, sort button if the column can be sorted, and a handle for the width. */
export const HeadCell = (props: HeadCellProps) => {
  const { sort, setSort } = useListContext();
  const handleSort = useEvent(setSort);
  return <Head {...props} order={props.column.sort === sort.field ? sort.order : undefined} onSort={handleSort} />;
};

interface HeadProps extends HeadCellProps {
  /** Current sort direction of the list by this column, if any. */
  order: SortPayload['order'] | undefined;
  onSort: (sort: SortPayload) => void;
}

/** Memoized, so that it does not render again with the rows. */
const Head = memo(function Head({ entity, column, width, order, onSort, onResize }: HeadProps) {
  const translate = useTranslate();
  const label = translate(`resources.${entity.name}.fields.${column.name}`);
  const text = (
    <>
      <span>{label}</span>
      <HeadUnit column={column} />
    </>
  );
  const direction = order === 'DESC' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      aria-label={label}
      className={column.numeric ? 'sl-number' : undefined}
      style={widthStyle(width)}
      aria-sort={order && direction}
    >
      {column.sort === undefined ? (
        <span className="sl-head">{text}</span>
      ) : (
        <button
          type="button"
          className="sl-head"
          title={translate('list.sort_by', { column: label })}
          onClick={() => onSort({ field: column.sort as string, order: order === 'ASC' ? 'DESC' : 'ASC' })}
        >
          {text}
          <Icon name="down" size={14} className={order ? `sl-sorted sl-sorted-${direction}` : 'sl-unsorted'} />
        </button>
      )}
      <WidthHandle label={label} width={width} onResize={(next) => onResize(column.name, next)} />
    </th>
  );
});

/** The unit of a column, shown after its label. */
export const HeadUnit = ({ column }: { column: Column }) => {
  const translate = useTranslate();
  const unit = headUnitOf(column);
  return unit && <span className="sl-unit">{unit === 's' ? 'h' : translate(`units.${unit}`)}</span>;
};

/** The unit for the heading; none for amounts of money, whose cells contain the currency sign. */
export const headUnitOf = ({ field }: Column) => (field.kind === 'money' ? undefined : field.unit);
