/** Queries on declarations: an entity by name, the title of a row, fields that the user may see or change. */
import type { RaRecord } from 'ra-core';
import { entities } from '../../../schema';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relationName';
import type { Language } from '../../../schema/shared/languages';
import { countryName, languageName } from '../../i18n/names';
import { permissionName } from '../../i18n/permissions';
import { roleName } from '../../i18n/roles';
import { can, currentUser } from '../../providers/auth';

const registry = new Map<string, Entity>(entities.map((entity) => [entity.name, entity]));

/** Registers an additional entity for links and pickers. */
export const registerEntity = (entity: Entity): void => void registry.set(entity.name, entity);
export const findEntity = (name: string | undefined): Entity | undefined =>
  name === undefined ? undefined : registry.get(name);

export const isPermitted = (code: string): boolean => currentUser()?.permissions.includes(code) ?? false;

/** Whether the user may see this field. */
export const isReadable = (field: Field): boolean => !field.read || isPermitted(field.read);

/** Names of the fields that the user may set on create or edit; the server has the same rule. */
export function writableOf(entity: Entity, action: 'create' | 'edit'): string[] {
  const canChangeAll = can(entity.name, action);
  return Object.entries(entity.fields)
    .filter(([, field]) => field.write !== false && field.kind !== 'many' && isReadable(field))
    .filter(([, field]) => canChangeAll || (action === 'edit' && field.edit !== undefined && isPermitted(field.edit)))
    .map(([name]) => name);
}

/** Whether the user may change any field of a row. */
export const isEditable = (entity: Entity): boolean => writableOf(entity, 'edit').length > 0;

/** The title of a row from its declared title fields; countries, languages and named roles in the user's language. */
export function titleOf(
  entity: Entity | undefined,
  row: Partial<RaRecord> | null | undefined,
  language: Language,
): string {
  if (!row) return '';
  if (!entity) return String(row.name ?? row.id ?? '');
  if (entity.name === 'countries') return countryName(String(row.name ?? ''), language);
  if (entity.name === 'languages' && row.two_letter_code) return languageName(String(row.two_letter_code), language);
  if (entity.name === 'permissions')
    return permissionName({ name: String(row.name ?? ''), code_name: String(row.code_name ?? '') }, language);
  if (entity.name === 'roles') return roleName(String(row.name ?? ''), language);
  const titleValues = entity.titles
    .map((name) => row[name])
    .filter((value) => value !== null && value !== undefined && value !== '');
  return titleValues.length > 0 ? titleValues.join(' ') : String(row[entity.title] ?? row.id ?? '');
}

/** The row or rows included for a `ref` or `refs` field; `undefined` if not included. */
export function relatedOf(name: string, field: Field, row: Partial<RaRecord>): RaRecord[] | undefined {
  const related = row[relationName(name, field) as string] as RaRecord | RaRecord[] | null | undefined;
  if (related === undefined || typeof related !== 'object') return undefined;
  return related === null ? [] : [related].flat();
}

/** `include` values to show the named fields without further requests: relations, and counts of `many`. */
export function includesOf(entity: Entity, names: readonly string[]): string[] {
  const relations = names.flatMap((name) => {
    const field = entity.fields[name];
    const relation = field && relationName(name, field);
    if (!relation || !isReadable(field) || !(can(field.to as string, 'list') || can(field.to as string, 'show')))
      return [];
    return [field.kind === 'many' ? `${relation}Count` : relation];
  });
  return [...new Set(relations)];
}
