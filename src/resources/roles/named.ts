import type { RaRecord } from 'ra-core';
import { namedRoles } from '../../../schema/shared/roles';

/** The named roles belong to the product; the server keeps them. */
export const isAdded = ({ name }: RaRecord): boolean => !Object.values(namedRoles).some((role) => role.name === name);
