/**
 * What the reader may do with many rows beyond changing fields: where they can be moved, whom they can be assigned to.
 */
import type { Entity } from '../../../schema/dsl/entity';
import { users } from '../../../schema/entities/users';
import { can } from '../../providers/auth';
import { notGiven } from '../fields/offered';
import { writableOf } from '../shared/entities';

/** Where rows can be moved to, by the field that says where they are. */
const moves: Readonly<Record<string, readonly ('fleet_id' | 'location_id')[]>> = {
  machines: ['fleet_id', 'location_id'],
  locations: ['fleet_id'],
};

/** The fields by which the reader may move rows of an entity. */
export const movesOf = (entity: Entity) =>
  (moves[entity.name] ?? []).filter((field) => writableOf(entity, 'edit').includes(field));

/** What users can be assigned to, by the field that holds it; roles have their own button. */
const linkFields = ['fleet_ids', 'location_ids', 'machine_ids', 'client_ids', 'country_ids'] as const;

/** The field of users that holds rows of this entity. */
export const holderOf = (entity: Entity): string | undefined =>
  assignable().find((name) => users.fields[name].to === entity.name);

/** The fields by which the reader may say what users look after. */
export const assignable = () =>
  linkFields.filter((name) => writableOf(users, 'edit').includes(name) && !notGiven().includes(name));

/** Whether the reader may assign users to rows of the entity, or to users what they look after. */
export const isAssignable = (entity: Entity): boolean =>
  can('users', 'edit') && can('users', 'list') && (entity.name === 'users' || holderOf(entity) !== undefined);
