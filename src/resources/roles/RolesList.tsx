import { roles } from '../../../schema/entities/roles';
import { ListPage } from '../../crud/list/ListPage';
import { isAdded } from './named';

/** The roles; the named ones are there to stay. */
export const RolesList = () => <ListPage entity={roles} isDeletable={isAdded} />;
