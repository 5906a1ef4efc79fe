import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import { machines } from '../../../schema/entities/machines';
import { movesOf } from '../../crud/bulk/assignable';
import { usePathOf } from '../../crud/shared/paths';
import type { Filters } from '../../providers/filters';
import { IconButton } from '../../ui/IconButton';
import { type BoardItem, dragHandlers } from './dragHandlers';

interface BoardMachinesProps {
  label: string;
  filter: Filters;
  onDrag: (item: BoardItem | undefined) => void;
  onMove: (item: BoardItem) => void;
}

/** Maximum number of machines of one location or fleet; the list shows all. */
const maxMachines = 25;

/** A collapsible list of the machines that match the filter. They load when the user opens it. */
export function BoardMachines({ label, filter, onDrag, onMove }: BoardMachinesProps) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const {
    data = [],
    total = 0,
    isPending,
    isError,
  } = useGetList<Row<typeof machines>>(
    'machines',
    { filter, pagination: { page: 1, perPage: maxMachines }, sort: { field: 'serial_number', order: 'ASC' } },
    { enabled: isOpen },
  );
  const isMovable = movesOf(machines).includes('fleet_id');
  return (
    <details className="sl-board-machines" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      <ul>
        {data.map(({ id, serial_number, fleet_id, location_id }) => {
          const item: BoardItem = { entity: 'machines', id, name: serial_number, fleet_id, location_id };
          return (
            <li key={id} {...(isMovable && dragHandlers(item, onDrag))}>
              <Link to={pathOf('machines', id)}>{serial_number}</Link>
              {isMovable && (
                <IconButton
                  icon="move"
                  label={`${translate('many.move')}: ${serial_number}`}
                  size={16}
                  title={translate('many.move')}
                  onClick={() => onMove(item)}
                />
              )}
            </li>
          );
        })}
        {total > data.length && data.length > 0 && (
          <li>
            <Link to={`${pathOf('machines')}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`}>
              {translate('map.more', { smart_count: total - data.length })}
            </Link>
          </li>
        )}
        {isPending && <li>{translate('frame.loading')}</li>}
        {isError && <li role="alert">{translate('errors.generic')}</li>}
        {!isPending && !isError && data.length === 0 && <li>–</li>}
      </ul>
    </details>
  );
}
