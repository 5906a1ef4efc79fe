import { type SQL, sql } from 'drizzle-orm';
import type { Language } from '../../schema/shared/languages';
import type { Caller } from '../context/caller';
import type { ModelEntity } from '../context/services';
import { derivedSql } from './derivedSql';
import { column } from './entityModel';

/** SQL: title of a row, from the declared title fields. */
export const titleSql = (
  entity: ModelEntity,
  { row, state = row, language = 'en' }: { row: SQL; state?: SQL; language?: Language },
): SQL =>
  sql`concat_ws(' ', ${sql.join(
    entity.titles.map((name) =>
      entity.fields[name]?.store === 'derived'
        ? derivedSql(entity, { name, row, state, caller: { ...anonymous, language } })
        : column(row, name),
    ),
    sql`, `,
  )})`;

/** Derived titles depend on the language only, so every other property may be empty. */
const anonymous: Caller = {
  userId: 0,
  sessionId: 0,
  accessVersion: -1,
  language: 'en',
  permissions: new Set(),
  roles: [],
  scopes: new Set(),
  links: { client: null, clients: [], countries: [], fleets: [], locations: [], machines: [] },
};
