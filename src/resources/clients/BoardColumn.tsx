import { type DragEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { fleets } from '../../../schema/entities/fleets';
import type { locations } from '../../../schema/entities/locations';
import { usePathOf } from '../../crud/shared/paths';
import { useCountText } from '../../crud/shared/useCountText';
import { can } from '../../providers/auth';
import { IconButton } from '../../ui/IconButton';
import { BoardMachines } from './BoardMachines';
import { type BoardItem, type DropTarget, dragHandlers } from './dragHandlers';

type Location = Row<typeof locations> & { machines_count?: number };

interface BoardColumnProps {
  fleet: Row<typeof fleets>;
  locations: readonly Location[];
  dragged: BoardItem | undefined;
  onDrag: (item: BoardItem | undefined) => void;
  onDrop: (target: DropTarget) => void;
  onMove: (item: BoardItem) => void;
  withMachines: boolean;
}

/** A fleet on the board: its locations with their machines, and its machines without a location. */
export function BoardColumn({ fleet, locations, dragged, onDrag, onDrop, onMove, withMachines }: BoardColumnProps) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const isTarget = dragged !== undefined && dragged.fleet_id !== fleet.id;
  const drop = useDrop(isTarget, () => onDrop({ fleet_id: fleet.id, name: fleet.name }));
  return (
    <section className="sl-board-column" aria-label={fleet.name} {...drop}>
      <h3>
        <span className="sl-swatch" style={{ background: fleet.color }} />
        <Link to={pathOf('fleets', fleet.id)}>{fleet.name}</Link>
      </h3>
      <ul>
        {locations.map((location) => (
          <Card key={location.id} location={location} {...{ dragged, onDrag, onDrop, onMove, withMachines }} />
        ))}
        {withMachines && (
          <li className="sl-board-loose">
            <BoardMachines
              label={translate('board.loose')}
              filter={{ fleet_id: fleet.id, location_id: null }}
              onDrag={onDrag}
              onMove={onMove}
            />
          </li>
        )}
      </ul>
    </section>
  );
}

function Card({
  location,
  dragged,
  onDrag,
  onDrop,
  onMove,
  withMachines,
}: { location: Location } & Omit<BoardColumnProps, 'fleet' | 'locations'>) {
  const translate = useTranslate();
  const countText = useCountText();
  const pathOf = usePathOf();
  const isMovable = can('locations', 'edit');
  const { id, name, fleet_id } = location;
  const item: BoardItem = { entity: 'locations', id, name, fleet_id };
  const isTarget = dragged?.entity === 'machines' && dragged.location_id !== id;
  const drop = useDrop(isTarget, () => onDrop({ fleet_id, location_id: id, name }));
  return (
    <li className="sl-board-card" {...(isMovable && dragHandlers(item, onDrag))} {...drop}>
      <span className="sl-board-name">
        <Link to={pathOf('locations', id)}>{name}</Link>
        <small>{location.city}</small>
      </span>
      {isMovable && (
        <IconButton
          icon="move"
          label={`${translate('clients.move_location')}: ${name}`}
          title={translate('clients.move_location')}
          onClick={() => onMove(item)}
        />
      )}
      {withMachines && (location.machines_count ?? 0) > 0 && (
        <BoardMachines
          label={countText('resources.machines.counted', location.machines_count ?? 0)}
          filter={{ location_id: id }}
          onDrag={onDrag}
          onMove={onMove}
        />
      )}
    </li>
  );
}

/** Props of a drop target; it is active while the dragged item may be dropped there. */
function useDrop(isTarget: boolean, onDrop: () => void) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver && isTarget,
    onDragOver: (event: DragEvent) => {
      if (!isTarget) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!isTarget) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      onDrop();
    },
  };
}
