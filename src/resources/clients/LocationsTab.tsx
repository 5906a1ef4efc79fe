import './clients.css';
import type { RaRecord } from 'ra-core';
import { locations } from '../../../schema/entities/locations';
import { ListPage } from '../../crud/list/ListPage';

/** The client's locations; selected ones can be moved to another fleet. */
export const LocationsTab = ({ client }: { client: RaRecord }) => (
  <div className="sl-client-tab">
    <ListPage entity={locations} embedded filter={{ client_id: client.id as number }} />
  </div>
);
