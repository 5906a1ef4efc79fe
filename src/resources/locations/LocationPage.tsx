import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Entity, Row } from '../../../schema/dsl/entity';
import { floors } from '../../../schema/entities/floors';
import { locations } from '../../../schema/entities/locations';
import { machines } from '../../../schema/entities/machines';
import { runs } from '../../../schema/entities/runs';
import { MoveLocation } from '../../crud/dialogs/MoveLocation';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { Icon } from '../../ui/Icon';
import { Calendar } from './Calendar';
import { OpenNow } from './OpenNow';

/** The page of a location with its machines, calendar, floors and runs, and a button that moves it to another fleet. */
export function LocationPage() {
  const translate = useTranslate();
  const tabOf = (entity: Entity) => ({
    name: entity.name,
    label: translate(`resources.${entity.name}.plural`),
    element: (location: RaRecord) => (
      <ListPage entity={entity} embedded filter={{ location_id: location.id as number }} />
    ),
  });
  const runsTab = {
    name: 'runs',
    label: translate('resources.runs.plural'),
    element: (location: RaRecord) => (
      <ListPage entity={runs} embedded filter={{ location_id: location.id as number, superseded_by: null }} />
    ),
  };
  const calendarTab = {
    name: 'calendar',
    label: translate('calendar.title'),
    element: (location: RaRecord) => <Calendar location={location.id as number} />,
  };
  return (
    <RecordPage
      entity={locations}
      head={(location) => location.opening_hours && <OpenNow location={location.id as number} />}
      tabs={[
        ...(can('machines', 'list') ? [tabOf(machines), calendarTab] : []),
        ...(can('floors', 'list') ? [tabOf(floors)] : []),
        ...(can('runs', 'list') ? [runsTab] : []),
      ]}
      actions={(record) => can('locations', 'edit') && <Move location={record as Row<typeof locations>} />}
    />
  );
}

function Move({ location }: { location: Row<typeof locations> }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="sl-button" onClick={() => setOpen(true)}>
        <Icon name="move" size={16} />
        {translate('clients.move_location')}
      </button>
      {isOpen && <MoveLocation location={location} onClose={() => setOpen(false)} />}
    </>
  );
}
