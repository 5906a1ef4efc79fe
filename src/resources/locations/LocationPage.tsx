import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { locations } from '../../../schema/entities/locations';
import { machines } from '../../../schema/entities/machines';
import { MoveLocation } from '../../crud/dialogs/MoveLocation';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';
import { Calendar } from './Calendar';
import { OpenNow } from './OpenNow';

/** The page of a location with its machines; it can be moved to another fleet. */
export function LocationPage() {
  const translate = useTranslate();
  const machinesTab = {
    name: 'machines',
    label: translate('resources.machines.plural'),
    element: (location: RaRecord) => (
      <ListPage entity={machines} embedded filter={{ location_id: location.id as number }} />
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
      tabs={can('machines', 'list') ? [machinesTab, calendarTab] : []}
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
        {translate('clients.move_location')}
      </button>
      {isOpen && <MoveLocation location={location} onClose={() => setOpen(false)} />}
    </>
  );
}
