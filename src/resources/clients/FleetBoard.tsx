import './board.css';
import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import type { fleets } from '../../../schema/entities/fleets';
import { locations } from '../../../schema/entities/locations';
import { machines } from '../../../schema/entities/machines';
import { MoveRows } from '../../crud/bulk/MoveRows';
import { useBulk } from '../../crud/bulk/useBulk';
import { can } from '../../providers/auth';
import { changeMany, undoBulk } from '../../providers/bulk';
import { useConfirm } from '../../ui/ConfirmProvider';
import { BoardColumn } from './BoardColumn';
import type { BoardItem, DropTarget } from './dragHandlers';

type Fleet = Row<typeof fleets>;
type Location = Row<typeof locations> & { machines_count?: number };

/** Maximum number of fleets, and of locations, on the board; the lists show all. */
const maxRows = 200;
const entities = { locations, machines };

/**
 * The client's fleets side by side, with their locations and machines. Users move them to another fleet, and machines
 * also to a location, by dragging or with a button.
 */
export function FleetBoard({ client }: { client: RaRecord }) {
  const translate = useTranslate();
  const confirm = useConfirm();
  const locationBulk = useBulk(locations);
  const machineBulk = useBulk(machines);
  const [dragged, setDragged] = useState<BoardItem>();
  const [pendingMove, setPendingMove] = useState<BoardItem>();
  const listParams = {
    filter: { client_id: client.id },
    pagination: { page: 1, perPage: maxRows },
    sort: { field: 'name', order: 'ASC' as const },
  };
  const { data: columns = [] } = useGetList<Fleet>('fleets', listParams);
  const { data: cards = [] } = useGetList<Location>('locations', {
    ...listParams,
    meta: { include: ['machinesCount'] },
  });
  if (columns.length < 2) return null;
  const runOf = ({ entity }: BoardItem) => (entity === 'machines' ? machineBulk : locationBulk).run;
  const isMachine = (item: BoardItem) => item.entity === 'machines';

  const drop = async (target: DropTarget) => {
    const item = dragged;
    setDragged(undefined);
    if (!item) return;
    const question = {
      title: translate('board.move_title', { name: item.name, fleet: target.name }),
      description: translate(
        isMachine(item) ? (target.location_id ? 'board.stands' : 'many.leaves') : 'clients.move_text',
      ),
      button: translate('clients.move'),
    };
    if (!(await confirm(question))) return;
    const entity = entities[item.entity];
    const data = {
      fleet_id: target.fleet_id,
      ...(target.location_id !== undefined && { location_id: target.location_id }),
    };
    await runOf(item)({
      send: (onProgress) => changeMany(entity, { ids: [item.id], count: 1 }, { data }, onProgress),
      resultText: 'toasts.bulk_changed',
      staleEntities: ['locations', 'machines', 'fleets'],
      undo: (result, onProgress) => undoBulk(entity, result.undo ?? {}, onProgress),
    });
  };

  return (
    <section className="sl-board" aria-label={translate('board.title')}>
      <p className="sl-board-help">{translate('board.help')}</p>
      <div className="sl-board-columns">
        {columns.map((fleet) => (
          <BoardColumn
            key={fleet.id}
            fleet={fleet}
            locations={cards.filter(({ fleet_id }) => fleet_id === fleet.id)}
            dragged={dragged}
            onDrag={setDragged}
            onDrop={(target) => void drop(target)}
            onMove={setPendingMove}
            withMachines={can('machines', 'list')}
          />
        ))}
      </div>
      {pendingMove && (
        <MoveRows
          entity={entities[pendingMove.entity]}
          target={{ ids: [pendingMove.id], count: 1 }}
          run={runOf(pendingMove)}
          onClose={() => setPendingMove(undefined)}
          onDone={() => undefined}
        />
      )}
      {locationBulk.element}
      {machineBulk.element}
    </section>
  );
}
