/**
 * API tokens of the caller: shown once and stored as a hash. A token can be limited to permissions (`machines.edit`) or
 * to an action on every resource (`*.list`), and never has permissions that its owner lacks at the time of use.
 */
import { flushUses } from '../../auth/lastUsed';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { serve } from '../../endpoints/serve';
import { createTokenStore } from './createTokenStore';

/** Maximum tokens per user. */
const maxTokens = 50;

export const tokenRoutes: Routes = async (app) => {
  const { db, model } = app.services;
  const tokens = createTokenStore(model, {
    isWall: false,
    prefix: 'swa_',
    maxTokens,
    tooManyText: 'too_many_tokens',
    actions: { create: 'token_create', revoke: 'token_revoke' },
  });

  serve(app, 'GET /account/tokens', async (_input, { caller }) => {
    await flushUses(db);
    return { data: await tokens.list(db, caller) };
  });

  serve(app, 'POST /account/tokens', async ({ body: { permissions, ...body }, transaction }, { caller: owner }) => {
    if (permissions?.some((code) => !code.startsWith('*.') && !owner.permissions.has(code)))
      throw ApiError.invalidAt('permissions', { text: 'beyond_own_rights' }, 'users');
    return {
      data: await transaction((tx, caller) => tokens.create(tx, caller, { ...body, permissions: permissions ?? null })),
    };
  });

  serve(app, 'DELETE /account/tokens/{id}', ({ params: { id }, transaction }) =>
    transaction((tx, caller) => tokens.revoke(tx, caller, id)),
  );
};
