/** Permissions for bulk work other than changing fields: moves and assignments. */
import type { Entity } from '../../../schema/dsl/entity';
import { users } from '../../../schema/entities/users';
import { can } from '../../providers/auth';
import { ungrantableFields } from '../fields/pickerOptions';
import { writableOf } from '../shared/entities';

/** Fields that moves of an entity's rows may set. */
const moveFields: Readonly<Record<string, readonly ('fleet_id' | 'location_id')[]>> = {
  machines: ['fleet_id', 'location_id'],
  locations: ['fleet_id'],
};

/** The fields by which the user may move rows of an entity. */
export const movesOf = (entity: Entity) =>
  (moveFields[entity.name] ?? []).filter((field) => writableOf(entity, 'edit').includes(field));

/** Link fields of users that assignments may set. Roles are left out: they have their own button. */
const linkFields = ['fleet_ids', 'location_ids', 'machine_ids', 'client_ids', 'country_ids'] as const;

/** The link field of users that points to this entity. */
export const linkFieldTo = (entity: Entity): string | undefined =>
  assignableFields().find((name) => users.fields[name].to === entity.name);

/** The link fields of users that the logged-in user may change. */
export const assignableFields = () =>
  linkFields.filter((name) => writableOf(users, 'edit').includes(name) && !ungrantableFields().includes(name));

/** Whether the user may assign users to rows of the entity or, if the entity is users, assign rows to them. */
export const isAssignable = (entity: Entity): boolean =>
  can('users', 'edit') && can('users', 'list') && (entity.name === 'users' || linkFieldTo(entity) !== undefined);
