import { roles } from '../../../schema/entities/roles';
import { ListPage } from '../../crud/list/ListPage';
import { isAdded } from './named';

/** The roles; the named ones cannot be deleted. */
export const RolesList = () => <ListPage entity={roles} isDeletable={isAdded} />;
