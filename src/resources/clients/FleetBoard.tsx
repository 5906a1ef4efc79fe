import './board.css';
import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'ra-core';
import { type DragEvent, useState } from 'react';
import { useGetList, useNotify, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { fleets } from '../../../schema/entities/fleets';
import type { locations } from '../../../schema/entities/locations';
import { useConfirm } from '../../layout/ConfirmDialog';
import { Icon } from '../../layout/Icon';
import { can } from '../../providers/auth';
import { api } from '../../providers/http';
import { useCounted } from '../count';
import { MoveLocation } from '../dialogs/MoveLocation';

type Fleet = Row<typeof fleets>;
type Location = Row<typeof locations> & { machines_count?: number };

/** As many of each as a board can show; beyond them there are the lists. */
const most = 200;

/** The client's fleets side by side with their locations: a location is dragged to another fleet, or sent there by its button. */
export function FleetBoard({ client }: { client: RaRecord }) {
  const translate = useTranslate();
  const notify = useNotify();
  const confirm = useConfirm();
  const cache = useQueryClient();
  const [dragged, setDragged] = useState<Location>();
  const [asking, setAsking] = useState<Location>();
  const question = { filter: { client_id: client.id }, pagination: { page: 1, perPage: most }, sort: { field: 'name', order: 'ASC' as const } };
  const { data: columns = [] } = useGetList<Fleet>('fleets', question);
  const { data: cards = [] } = useGetList<Location>('locations', { ...question, meta: { include: ['machinesCount'] } });
  if (columns.length < 2) return null;

  const drop = async (fleet: Fleet) => {
    const location = dragged;
    setDragged(undefined);
    if (!location || location.fleet_id === fleet.id) return;
    const asked = {
      title: translate('board.move_title', { name: location.name, fleet: fleet.name }),
      description: translate('clients.move_text'),
      button: translate('clients.move'),
    };
    if (!(await confirm(asked))) return;
    try {
      await api(`locations/${location.id}/move`, { method: 'POST', body: { fleet_id: fleet.id } });
      notify('clients.moved', { type: 'success' });
      await Promise.all(['locations', 'machines', 'fleets'].map((resource) => cache.invalidateQueries({ queryKey: [resource] })));
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };

  return (
    <section className="sl-board" aria-label={translate('board.title')}>
      <p className="sl-board-help">{translate('board.help')}</p>
      <div className="sl-board-columns">
        {columns.map((fleet) => (
          <Column
            key={fleet.id}
            fleet={fleet}
            locations={cards.filter(({ fleet_id }) => fleet_id === fleet.id)}
            isTarget={dragged !== undefined && dragged.fleet_id !== fleet.id}
            onDrop={() => void drop(fleet)}
            onDrag={setDragged}
            onAsk={setAsking}
          />
        ))}
      </div>
      {asking && <MoveLocation location={asking} onClose={() => setAsking(undefined)} />}
    </section>
  );
}

interface ColumnProps {
  fleet: Fleet;
  locations: readonly Location[];
  isTarget: boolean;
  onDrop: () => void;
  onDrag: (location: Location | undefined) => void;
  onAsk: (location: Location) => void;
}

function Column({ fleet, locations, isTarget, onDrop, onDrag, onAsk }: ColumnProps) {
  const [isOver, setOver] = useState(false);
  const allow = (event: DragEvent) => {
    if (!isTarget) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      className="sl-board-column"
      aria-label={fleet.name}
      data-over={isOver && isTarget}
      onDragOver={allow}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop();
      }}
    >
      <h3>
        <span className="sl-swatch" style={{ background: fleet.color }} />
        <Link to={`/fleets/${fleet.id}`}>{fleet.name}</Link>
      </h3>
      <ul>
        {locations.map((location) => (
          <Card key={location.id} location={location} onDrag={onDrag} onAsk={onAsk} />
        ))}
      </ul>
    </section>
  );
}

function Card({ location, onDrag, onAsk }: { location: Location } & Pick<ColumnProps, 'onDrag' | 'onAsk'>) {
  const translate = useTranslate();
  const counted = useCounted();
  const isMovable = can('locations', 'edit');
  return (
    <li
      className="sl-board-card"
      draggable={isMovable}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', location.name);
        onDrag(location);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <span className="sl-board-name">
        <Link to={`/locations/${location.id}`}>{location.name}</Link>
        <small>
          {location.city}
          {location.machines_count !== undefined && ` · ${counted('resources.machines.counted', location.machines_count)}`}
        </small>
      </span>
      {isMovable && (
        <button
          type="button"
          className="sl-icon-button"
          aria-label={`${translate('clients.move_location')}: ${location.name}`}
          title={translate('clients.move_location')}
          onClick={() => onAsk(location)}
        >
          <Icon name="drag" size={18} />
        </button>
      )}
    </li>
  );
}
