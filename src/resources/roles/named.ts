import type { RaRecord } from 'ra-core';
import { namedRoles } from '../../../schema/shared/roles';

/** Whether administrators added this role; the server keeps the named ones. */
export const isAdded = ({ name }: RaRecord): boolean => !Object.values(namedRoles).some((role) => role.name === name);
