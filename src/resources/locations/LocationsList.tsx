import { locations } from '../../../schema/entities/locations';
import { ListPage } from '../../crud/list/ListPage';
import { LocationsTabs } from './LocationsTabs';

/** The list of sites, with the cleaning calendar as a tab. */
export const LocationsList = () => <ListPage entity={locations} tabs={<LocationsTabs open="list" />} />;
