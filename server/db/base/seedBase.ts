/** Rows that every database has: languages, countries, permissions, the six named roles. */
import { type SQL, sql } from 'drizzle-orm';
import { codesOf, defaultPermissionsOf, entities as registered } from '../../../schema';
import type { Entity } from '../../../schema/dsl/entity';
import { roleNames } from '../../../schema/dsl/entity';
import { interfaceLanguages, languageCodes } from '../../../schema/shared/languages';
import { regionCodes } from '../../../schema/shared/regionCodes';
import { namedRoles } from '../../../schema/shared/roles';
import { advisoryLocks } from '../core/advisoryLocks';
import type { Database, Queries } from '../core/database';
import { pg } from '../core/rowShape';

/**
 * Inserts missing rows and changes no existing ones: edited names and grants stay. A permission new in this version is
 * granted to the named roles as declared.
 */
export async function seedBase(db: Database, entities: readonly Entity[] = registered): Promise<void> {
  if (await isComplete(db, entities)) return;
  await db.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.baseRows})`);
    await seedLanguages(tx);
    await seedCountries(tx);
    await seedRoles(tx, entities);
  });
}

/** Checks with one query in place of fifteen, since nothing is missing at most starts. */
async function isComplete(db: Queries, entities: readonly Entity[]): Promise<boolean> {
  const hasAll = (expectedNames: readonly string[], stored: SQL) =>
    sql`not exists (select unnest(${sql.param([...expectedNames])}::text[]) except ${stored})`;
  const roles = roleNames.map((role) => namedRoles[role].name);
  const row = await db.selectOne(
    { complete: pg.boolean },
    sql`
    select ${hasAll([...languageCodes], sql`select two_letter_code from languages`)}
    and ${hasAll(entities.flatMap(codesOf), sql`select code_name from permissions`)}
      and ${hasAll(roles, sql`select name from roles where deleted_at is null`)}
      and exists (select from countries) as complete`,
  );
  return row?.complete ?? false;
}

/** The declared content of these rows. Part of the image's hash: a change makes a new image. */
export const baseRows = () => [
  interfaceLanguages,
  registered.flatMap(codesOf),
  roleNames.map((role) => [namedRoles[role], defaultPermissionsOf(role, registered)]),
];

async function seedLanguages(tx: Queries): Promise<void> {
  const codes = [...languageCodes];
  const names = Object.values(interfaceLanguages).map(({ name }) => name);
  await tx.rows(sql`
    insert into languages (name, two_letter_code)
    select name, code from unnest(${names}::text[], ${codes}::text[]) with ordinality as input (name, code, nth)
    where not exists (select from languages where two_letter_code = code) order by nth
    on conflict do nothing`);
}

/** Fills the table only if it is empty, because administrators maintain the list of countries. */
async function seedCountries(tx: Queries): Promise<void> {
  if (await tx.one(sql`select 1 from countries limit 1`)) return;
  await tx.rows(
    sql`insert into countries (name) select name from unnest(${countryNames()}::text[]) as name order by name`,
  );
}

async function seedRoles(tx: Queries, entities: readonly Entity[]): Promise<void> {
  const codes = entities.flatMap(codesOf);
  const addedRows = await tx.select(
    { code_name: pg.text },
    sql`
    insert into permissions (name, code_name)
    select name, code
    from unnest(${codes.map(permissionName)}::text[], ${codes}::text[]) with ordinality as input (name, code,
    nth)
    where not exists (select from permissions where code_name = code) order by nth
    returning code_name`,
  );
  const newCodes = new Set(addedRows.map(({ code_name }) => code_name));
  for (const role of roleNames) {
    const { name, scope } = namedRoles[role];
    const insertedRole = await tx.selectOne(
      { id: pg.integer },
      sql`
      insert into roles (name, scope) select ${name}, ${scope} where not exists (select from roles where name = ${name}
      and deleted_at is null) returning id`,
    );
    const grantedCodes = defaultPermissionsOf(role, entities).filter((code) => insertedRole || newCodes.has(code));
    await tx.rows(sql`
      insert into roles_permissions (roles_id, permissions_id)
      select roles.id, permissions.id from roles, permissions
      where roles.name = ${name} and roles.deleted_at is null and permissions.code_name = any(${grantedCodes}::text[])
      and permissions.deleted_at is null
      on conflict do nothing`);
  }
}

/** `machines.show` is "Show machines". */
function permissionName(code: string): string {
  const [entity = '', action = ''] = code.replaceAll('_', ' ').split('.');
  return `${action.charAt(0).toUpperCase()}${action.slice(1)} ${entity}`;
}

/** Codes that ISO 3166-1 reserves for unions, groups and former states, or that denote no country. */
const excludedCodes = new Set([
  'EU',
  'EZ',
  'UN',
  'QO',
  'XA',
  'XB',
  'ZZ',
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'IC',
  'TA',
  'XK',
]);

/**
 * English names of all countries and territories of ISO 3166-1: two-letter codes that have a name and are not
 * superseded by another code.
 */
export function countryNames(): string[] {
  const displayNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const currentCodes = regionCodes.filter(
    (code) =>
      !excludedCodes.has(code) &&
      new Intl.Locale(`und-${code}`).region === code &&
      Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
  );
  return [...new Set(currentCodes.flatMap((code) => displayNames.of(code) ?? []))];
}
