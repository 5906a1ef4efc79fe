import { locations } from '../../../schema/entities/locations';
import { ListPage } from '../../crud/list/ListPage';
import { LocationsTabs } from './LocationsTabs';

/** The sites, with their cleaning calendar beside them. */
export const LocationsList = () => <ListPage entity={locations} tabs={<LocationsTabs open="list" />} />;
