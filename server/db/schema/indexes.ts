/** Derives the indexes that columns need from the paths in the declarations. */
import { type Entity, isReadOnly } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { attentionList } from '../../../schema/features/dashboard';
import { isProse } from '../core/columns';

export type ColumnUse = 'order' | 'contains';
/** Uses per entity and own field. */
export type ColumnUses = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<ColumnUse>>>;

/** Lists of machines that every call of the dashboard counts. */
const countedLists = (['silent', 'service_due'] as const).map((name) => attentionList(name, new Date(0)));

/**
 * Uses of all columns: sorts, filters, listed columns, scope paths and the filters of `countedLists` order or compare a
 * column; searches and text filters look inside it. A path such as `fleet.client.country_id` counts for every reference
 * along it.
 */
export function collectColumnUses(entities: readonly Entity[]): ColumnUses {
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const uses = new Map<string, Map<string, Set<ColumnUse>>>(entities.map(({ name }) => [name, new Map()]));
  const addUse = (entity: string, field: string, use: ColumnUse) => {
    const fields = uses.get(entity);
    if (fields) fields.set(field, (fields.get(field) ?? new Set()).add(use));
  };
  for (const entity of entities) {
    for (const [name, field] of Object.entries(entity.fields))
      if (field.kind === 'ref') addUse(entity.name, name, 'order');
    addUse(entity.name, 'created_at', 'order');
    if (isReadOnly(entity)) {
      // Audit entries are written with every change of every row: only the ids that look-ups use are indexed.
      for (const [name, field] of Object.entries(entity.fields))
        if (field.kind === 'integer') addUse(entity.name, name, 'order');
      continue;
    }
    const { columns, filters, sort, search } = entity.list;
    const counted = countedLists
      .filter(({ resource }) => resource === entity.name)
      .flatMap(({ filter }) => Object.keys(filter));
    for (const path of [...columns, ...filters, sort.replace(/^-/, ''), ...scopePaths(entity), ...counted])
      for (const step of walk(byName, entity, path)) if (!step.field.volatile) addUse(step.entity, step.name, 'order');
    for (const path of [...search, ...filters])
      for (const step of walk(byName, entity, path))
        if (isProse(step.field)) addUse(step.entity, step.name, 'contains');
  }
  return uses;
}

/** All scope paths of an entity, of every scope kind. */
export function scopePaths({ scope }: Entity): string[] {
  if (typeof scope === 'string') return [];
  return Object.values(scope)
    .flat()
    .flatMap((path: string | Record<string, string>) => (typeof path === 'string' ? [path] : Object.values(path)));
}

/** Own columns with which the scope paths of an entity begin, such as `fleet_id` of `fleet.client.country_id`. */
export function scopeColumns(entity: Entity): string[] {
  const names = scopePaths(entity).map((path) => relation(entity, path.split('.')[0] as string)?.[0]);
  return [...new Set(names)].filter(
    (name): name is string => name !== undefined && entity.fields[name]?.kind === 'ref',
  );
}

interface IndexedField {
  entity: string;
  name: string;
  field: Field;
}

/** Fields along a path, including the last. Ignores unknown segments: a test of the declarations finds those. */
function walk(byName: ReadonlyMap<string, Entity>, start: Entity, path: string): IndexedField[] {
  const steps: IndexedField[] = [];
  let entity: Entity | undefined = start;
  for (const segment of path.split('.')) {
    const hit: [string, Field] | undefined = entity && relation(entity, segment);
    if (!entity || !hit) return steps;
    steps.push({ entity: entity.name, name: hit[0], field: hit[1] });
    entity = byName.get(hit[1].to ?? '');
  }
  return steps;
}

/** `fleet` resolves to `fleet_id`, `fleets` to `fleet_ids`; other segments are field names. */
function relation({ fields }: Entity, segment: string): [string, Field] | undefined {
  const links = Object.keys(fields).find((name) => fields[name]?.kind === 'refs' && fields[name]?.to === segment);
  const name = [segment, `${segment}_id`, links].find(
    (candidate) => candidate !== undefined && Object.hasOwn(fields, candidate),
  );
  const field = name === undefined ? undefined : fields[name];
  return name !== undefined && field ? [name, field] : undefined;
}
