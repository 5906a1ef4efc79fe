/** The fields that conditions may use: those of the list and of its related rows. Pure. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relationName';
import { can } from '../../providers/auth';
import { findEntity, isReadable } from '../shared/entities';
import { filterablePaths, filterLabel, inputKindOf, type Translate } from '../shared/filters';

export interface FieldOption {
  path: string;
  label: string;
}
export interface FieldGroup {
  label: string;
  fields: readonly FieldOption[];
}

/** Maximum depth of relations: a machine's fleet, and that fleet's client. */
const maxDepth = 2;

const skippedFields: readonly string[] = ['id', 'version', 'created_at', 'updated_at'];

/**
 * Fields that the user may filter by, grouped by entity. The list's own come first, and declared filters before others.
 */
export function fieldGroups(entity: Entity, translate: Translate): FieldGroup[] {
  const ownFilters = filterablePaths(entity).filter((path) => !path.includes('.'));
  const lists = Object.entries(entity.fields).filter(([, field]) => field.kind === 'many' && canView(field));
  const paths = [...ownFilters, ...lists.map(([name]) => `${name}.id`)];
  return [
    {
      label: translate(`resources.${entity.name}.name`, { smart_count: 1 }),
      fields: paths.map((path) => ({ path, label: filterLabel(entity, path, translate) })),
    },
    ...relatedGroups(entity, translate),
  ];
}

interface RelatedEntity {
  entity: Entity;
  prefix: string;
  label: string;
}

/** Searches breadth first, so that a field is offered by its shortest path only. */
function relatedGroups(entity: Entity, translate: Translate): FieldGroup[] {
  const groups: FieldGroup[] = [];
  const visited = new Set([entity.name]);
  let level: RelatedEntity[] = [{ entity, prefix: '', label: '' }];
  for (let step = 0; step < maxDepth; step += 1) {
    const next = level.flatMap((parent) => relatedEntities(parent, translate));
    level = next.filter(({ entity: { name } }) => !visited.has(name));
    for (const { entity: target, prefix, label } of level) {
      visited.add(target.name);
      const fields = relatedFields(target).map((name) => ({
        path: `${prefix}${name}`,
        label: filterLabel(target, name, translate),
      }));
      if (fields.length > 0) groups.push({ label, fields });
    }
  }
  return groups;
}

const relatedEntities = ({ entity, prefix, label }: RelatedEntity, translate: Translate): RelatedEntity[] =>
  Object.entries(entity.fields).flatMap(([name, field]) => {
    const target = findEntity(field.to);
    const isFollowed = field.kind === 'ref' || (field.kind === 'refs' && prefix === '');
    if (!target || !isFollowed || !canView(field)) return [];
    const fieldLabel = translate(`resources.${entity.name}.fields.${name}`);
    return [
      {
        entity: target,
        prefix: `${prefix}${relationName(name, field)}.`,
        label: label === '' ? fieldLabel : `${label} › ${fieldLabel}`,
      },
    ];
  });

const relatedFields = (target: Entity): string[] =>
  Object.entries(target.fields)
    .filter(
      ([name, field]) =>
        !skippedFields.includes(name) && isReadable(field) && !['rows', 'none'].includes(inputKindOf(field)),
    )
    .filter(([, field]) => !(field.store === 'derived' && field.kind === 'text'))
    .map(([name]) => name);

const canView = (field: Field): boolean =>
  isReadable(field) && (can(field.to as string, 'list') || can(field.to as string, 'show'));
