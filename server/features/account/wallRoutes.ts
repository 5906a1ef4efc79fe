/** Walls of the caller: tokens that give access to what a wall draws only, shown once and stored as a hash. */
import { sql } from 'drizzle-orm';
import { maxWalls, wallDays } from '../../../schema/shared/wall';
import { flushUses } from '../../auth/lastUsed';
import { signWallToken } from '../../auth/userToken';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { createTokenStore, type TokenRow } from './createTokenStore';

export const wallRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const walls = createTokenStore(model, {
    isWall: true,
    prefix: 'sww_',
    maxTokens: maxWalls,
    tooManyText: 'too_many_walls',
    actions: { create: 'wall_create', revoke: 'wall_revoke' },
  });
  const withoutPermissions = <T extends TokenRow>({ permissions: _, ...wall }: T) => wall;

  serve(app, 'GET /wall', async (_input, { caller }) => {
    const wall =
      caller.isWall &&
      (await db.selectOne({ name: pg.text }, sql`select name from api_tokens where id = ${caller.tokenId ?? 0}::int`));
    if (!wall) throw ApiError.notFound();
    return { data: { ...wall, user_token: await signWallToken(services, caller, wall.name) } };
  });

  serve(app, 'GET /account/walls', async (_input, { caller }) => {
    await flushUses(db);
    return { data: (await walls.list(db, caller)).map(withoutPermissions) };
  });

  serve(app, 'POST /account/walls', async ({ body: { name }, transaction }) => ({
    data: withoutPermissions(
      await transaction((tx, caller) => walls.create(tx, caller, { name, days: wallDays, permissions: null })),
    ),
  }));

  serve(app, 'DELETE /account/walls/{id}', ({ params: { id }, transaction }) =>
    transaction((tx, caller) => walls.revoke(tx, caller, id)),
  );
};
