import { useListContext, useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../layout/Icon';
import type { Column } from './columns';

/** A column's head: its label with the unit, a button that sorts where the column has an order. */
export const HeadCell = ({ entity, column }: { entity: Entity; column: Column }) => {
  const translate = useTranslate();
  const { sort, setSort } = useListContext();
  const label = translate(`resources.${entity.name}.fields.${column.name}`);
  const unit = unitOf(column);
  const text = (
    <>
      <span>{label}</span>
      {unit && <span className="sl-unit">{unit === 's' ? 'h' : translate(`units.${unit}`)}</span>}
    </>
  );
  const isSorted = column.sort !== undefined && sort.field === column.sort;
  const order = sort.order === 'DESC' ? 'descending' : 'ascending';
  return (
    <th scope="col" className={column.numeric ? 'sl-number' : undefined} aria-sort={isSorted ? order : undefined}>
      {column.sort === undefined ? (
        <span className="sl-head">{text}</span>
      ) : (
        <button
          type="button"
          className="sl-head"
          title={translate('list.sort_by', { column: label })}
          onClick={() => setSort({ field: column.sort as string, order: isSorted && order === 'ascending' ? 'DESC' : 'ASC' })}
        >
          {text}
          <Icon name="down" size={14} className={isSorted ? `sl-sorted sl-sorted-${order}` : 'sl-unsorted'} />
        </button>
      )}
    </th>
  );
};

/** Amounts carry their own sign. */
const unitOf = ({ field }: Column) => (field.kind === 'money' ? undefined : field.unit);
