/** Resolves names in cells to ids of rows that the importer may see. Looks up each name once per import. */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { Field } from '../../../schema/dsl/field';
import { languageCodes } from '../../../schema/shared/languages';
import { regionCodes } from '../../../schema/shared/regionCodes';
import { namedRoles } from '../../../schema/shared/roles';
import { column, notDeleted, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { texts } from '../../i18n/messages';

/**
 * A matching row, with the reference fields that it has in common with the import row, such as `fleet_id` of a
 * location.
 */
export interface Candidate {
  id: number;
  sharedValues: Record<string, number | null>;
}

const m = sql.raw('m');
const foldCase = (name: string) => name.trim().toLowerCase();

/** Finds rows of one entity by name, for one import. */
export class NameFinder {
  private readonly cache = new Map<string, readonly Candidate[]>();

  constructor(
    private readonly target: ModelEntity,
    private readonly caller: Caller,
    /** Reference fields that the importing entity has, too. */
    private readonly sharedColumns: readonly string[],
  ) {}

  /** Looks up unknown names. Exact matches take precedence over matches that ignore case and surrounding spaces. */
  async load(db: Queries, names: Iterable<string>): Promise<void> {
    const unknownNames = [...new Set(names)].filter((name) => !this.cache.has(name));
    if (unknownNames.length === 0) return;
    const spellings = new Map(
      unknownNames.map((name) => [
        name,
        [...new Set([foldCase(name), ...(aliasesOf(this.target).get(foldCase(name)) ?? [])])],
      ]),
    );
    const exactMatches = groupByName(await this.readRows(db, unknownNames, true), (name) => name);
    const unmatchedNames = unknownNames.filter((name) => !exactMatches.has(name));
    const foldedMatches = groupByName(
      await this.readRows(db, [...new Set(unmatchedNames.flatMap((name) => spellings.get(name) as string[]))], false),
      foldCase,
    );
    for (const name of unknownNames) {
      const candidates =
        exactMatches.get(name) ??
        (spellings.get(name) as string[]).flatMap((spelling) => foldedMatches.get(spelling) ?? []);
      this.cache.set(name, [...new Map(candidates.map((row) => [row.id, row])).values()]);
    }
  }

  candidates = (name: string): readonly Candidate[] => this.cache.get(name) ?? [];

  /**
   * Forgets names that matched nothing. Must be called after rows were created, so that these names are looked up
   * again.
   */
  forgetEmpty(): void {
    for (const [name, candidates] of this.cache) if (candidates.length === 0) this.cache.delete(name);
  }

  private async readRows(db: Queries, spellings: readonly string[], isExact: boolean): Promise<NamedCandidate[]> {
    if (spellings.length === 0) return [];
    const names = namesSql(this.target);
    const pairs = this.sharedColumns.flatMap((name) => [sql`${name}::text`, column(m, name)]);
    const nameMatches = names.map(
      (name) => sql`${isExact ? name : sql`lower(btrim(${name}))`} = any(${sql.param([...spellings])}::text[])`,
    );
    return db.select(
      { id: pg.integer, names: pg.text.array, sharedValues: pg.json<Candidate['sharedValues']>() },
      sql`
      select m.id, array[${sql.join(names, sql`, `)}]::text[] as names, json_build_object(${sql.join(pairs, sql`, `)})
      as "sharedValues"
      from ${table(this.target)} m where (${sql.join(nameMatches, sql` or `)}) and ${notDeleted(m)}
      and ${scopeWhere(this.target, this.caller, m)} order by m.id limit 5000`,
    );
  }
}

type NamedCandidate = Candidate & { names: string[] };

function groupByName(
  rows: readonly NamedCandidate[],
  normalize: (name: string) => string,
): Map<string, NamedCandidate[]> {
  const rowsByName = new Map<string, NamedCandidate[]>();
  for (const row of rows) for (const name of new Set(row.names.map(normalize))) addToGroup(rowsByName, name, row);
  return rowsByName;
}

/** SQL: the names of a row, namely all titles together, the first title, and every unique text. */
function namesSql(target: ModelEntity): SQL[] {
  const isStored = (name: string) => (target.fields[name]?.store ?? 'row') === 'row';
  const titles = target.titles.filter(isStored).map((name) => column(m, name));
  const ownFields = Object.entries(target.fields)
    .filter(
      ([name, field]) =>
        isStored(name) && (name === target.title || (field.unique && ['text', 'email'].includes(field.kind))),
    )
    .map(([name]) => column(m, name));
  return [...(titles.length > 1 ? [sql`concat_ws(' ', ${sql.join(titles, sql`, `)})`] : titles), ...ownFields];
}

const aliasCache = new Map<string, Map<string, string[]>>();

/**
 * Local names of rows that are stored in English: countries in all languages, and the six roles as the pages call them.
 */
function aliasesOf({ name }: ModelEntity): Map<string, string[]> {
  const namesByAlias =
    aliasCache.get(name) ??
    (name === 'countries' ? countryNames() : name === 'roles' ? roleNames() : new Map<string, string[]>());
  aliasCache.set(name, namesByAlias);
  return namesByAlias;
}

function countryNames(): Map<string, string[]> {
  const english = new Intl.DisplayNames('en', { type: 'region' });
  const displayNames = languageCodes.map((language) => new Intl.DisplayNames(language, { type: 'region' }));
  const namesByAlias = new Map<string, string[]>();
  for (const code of regionCodes) {
    const name = english.of(code);
    if (name === undefined || name === code) continue;
    for (const alias of new Set([code, ...displayNames.map((local) => local.of(code) ?? code)]))
      addToGroup(namesByAlias, foldCase(alias), foldCase(name));
  }
  return namesByAlias;
}

function roleNames(): Map<string, string[]> {
  const namesByAlias = new Map<string, string[]>();
  for (const [role, { name }] of Object.entries(namedRoles))
    for (const language of languageCodes) {
      const localName = foldCase(texts[language].roles[role as keyof typeof namedRoles]);
      if (localName !== foldCase(name)) namesByAlias.set(localName, [foldCase(name)]);
    }
  return namesByAlias;
}

/** Names in the cell of a list: the texts between commas, without surrounding spaces. */
export const splitNames = (cell: string): string[] =>
  cell
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** References that both entities have with the same name and target. They decide between rows of the same name. */
export const sharedReferences = (entity: ModelEntity, target: ModelEntity): string[] =>
  Object.entries(target.fields)
    .filter(
      ([name, field]) =>
        field.kind === 'ref' &&
        (field.store ?? 'row') === 'row' &&
        entity.fields[name]?.kind === 'ref' &&
        entity.fields[name]?.to === field.to,
    )
    .map(([name]) => name);

export const referencedEntity = ({ model }: ModelEntity, field: Field): ModelEntity =>
  model.require(field.to as string);

/** Whether the importer may create rows of the field's target, and these rows need nothing but a name. */
export function isCreatableByName(entity: ModelEntity, name: string, caller: Caller): boolean {
  const field = entity.fields[name];
  if (!field || (field.kind !== 'ref' && field.kind !== 'refs')) return false;
  const target = referencedEntity(entity, field);
  const otherRequiredFields = Object.entries(target.fields).filter(
    ([other, { required, write, default: fallback }]) =>
      other !== target.title && write !== false && required === true && fallback === undefined,
  );
  return (
    hasPermission(caller, `${target.name}.create`) &&
    target.fields[target.title]?.write !== false &&
    otherRequiredFields.length === 0 &&
    target.scope === 'global'
  );
}
