import './clients.css';
import type { RaRecord } from 'ra-core';
import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import { locations } from '../../../schema/entities/locations';
import { can } from '../../providers/auth';
import { MoveLocation } from '../dialogs/MoveLocation';
import { ListPage } from '../list/ListPage';

/** The client's locations; any of them can be moved to another fleet. */
export function LocationsTab({ client }: { client: RaRecord }) {
  const filter = { client_id: client.id as number };
  return (
    <div className="sl-client-tab">
      {can('locations', 'edit') && <Move clientId={filter.client_id} />}
      <ListPage entity={locations} embedded filter={filter} />
    </div>
  );
}

/** Chooses the location and then asks where it goes. */
function Move({ clientId }: { clientId: number }) {
  const translate = useTranslate();
  const [moving, setMoving] = useState<Row<typeof locations>>();
  const { data = [] } = useGetList<Row<typeof locations>>('locations', {
    filter: { client_id: clientId },
    sort: { field: 'name', order: 'ASC' },
    pagination: { page: 1, perPage: 1000 },
  });
  if (data.length === 0) return null;
  return (
    <div className="sl-client-move sl-field">
      <label htmlFor="move-location">{translate('clients.move_location')}</label>
      <div className="sl-field-box">
        <select id="move-location" value="" onChange={({ target }) => setMoving(data.find(({ id }) => id === Number(target.value)))}>
          <option value="">{translate('clients.choose_location')}</option>
          {data.map(({ id, name, city }) => (
            <option key={id} value={id}>
              {name}, {city}
            </option>
          ))}
        </select>
      </div>
      {moving && <MoveLocation location={moving} onClose={() => setMoving(undefined)} />}
    </div>
  );
}
