/** The caller's API tokens, or the tokens of the caller's walls. Both are rows of `api_tokens`. */
import { sql } from 'drizzle-orm';
import { randomToken, sha256 } from '../../auth/secrets';
import type { Caller } from '../../context/caller';
import { ApiError, type ApiText } from '../../context/errors';
import type { EntityModel } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf, shapeOf } from '../../db/core/rowShape';
import { apiTokens } from '../../db/schema/session';

const tokenShape = shapeOf(
  apiTokens,
  'id',
  'name',
  'permissions',
  'created_at',
  'expires_at',
  'last_used_at',
  'address',
);
export type TokenRow = RowOf<typeof tokenShape>;
const columns = sql.raw(Object.keys(tokenShape).join(', '));

interface TokenKind {
  isWall: boolean;
  /** Prefix of the token, by which people and secret scanners recognise it. */
  prefix: string;
  maxTokens: number;
  tooManyText: ApiText;
  actions: { create: 'token_create' | 'wall_create'; revoke: 'token_revoke' | 'wall_revoke' };
}

interface TokenDraft {
  name: string;
  days: number;
  permissions: readonly string[] | null;
}

/** Creates the functions that list, create and revoke the caller's tokens of one kind. */
export function createTokenStore(model: EntityModel, { isWall, prefix, maxTokens, tooManyText, actions }: TokenKind) {
  const users = model.require('users');
  const callerWhere = ({ userId }: Caller) => sql`user_id = ${userId} and is_wall = ${isWall}::boolean`;
  return {
    /** Newest first. */
    list: (db: Queries, caller: Caller): Promise<TokenRow[]> =>
      db.select(tokenShape, sql`select ${columns} from api_tokens where ${callerWhere(caller)} order by id desc`),

    /** Returns the row and its token, which is not stored. @throws 409 at the maximum */
    async create(
      tx: Queries,
      caller: Caller,
      { name, days, permissions }: TokenDraft,
    ): Promise<TokenRow & { token: string }> {
      const token = `${prefix}${randomToken()}`;
      const { count = 0 } =
        (await tx.selectOne(
          { count: pg.integer },
          sql`select count(*)::int as count from api_tokens where ${callerWhere(caller)}`,
        )) ?? {};
      if (count >= maxTokens) throw ApiError.conflict(tooManyText, { most: maxTokens });
      await writeAuditEntries(tx, { entity: users, by: caller, action: actions.create }, [{ id: caller.userId }]);
      const tokenRow = await tx.selectOne(
        tokenShape,
        sql`
        insert into api_tokens (user_id, name, token_hash, permissions, is_wall, expires_at)
        values (${caller.userId}, ${name}, ${sha256(token)},
        ${permissions ? sql.param([...permissions]) : null}::text[], ${isWall}::boolean,
        now() + ${days}::int * interval '1 day')
        returning ${columns}`,
      );
      return { ...(tokenRow as TokenRow), token };
    },

    /** @throws 404 if it is not the caller's */
    async revoke(tx: Queries, caller: Caller, id: number): Promise<void> {
      const deletedRow = await tx.one(
        sql`delete from api_tokens where id = ${id} and ${callerWhere(caller)} returning id`,
      );
      if (!deletedRow) throw ApiError.notFound();
      await writeAuditEntries(tx, { entity: users, by: caller, action: actions.revoke }, [{ id: caller.userId }]);
    },
  };
}
