/** Second factor of the caller: enabling requires password and a code of the app; disabling requires both, too. */
import { sql } from 'drizzle-orm';
import { mailAccountNotice } from '../../auth/person';
import {
  createRecoveryCodes,
  enrolSecondFactor,
  hasSecondFactor,
  redeemCode,
  removeSecondFactor,
} from '../../auth/secondFactor';
import { base32, keyUri } from '../../auth/totp';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { confirmPassword } from './confirmPassword';

export const secondFactorRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const users = model.require('users');

  serve(app, 'GET /account/second-factor', async (_input, { caller }) => {
    const row = await db.selectOne(
      { since: pg.timestamptz.nullable, remaining: pg.integer },
      sql`
      select f.confirmed_at as since, (select count(*)::int from recovery_codes r where r.user_id = f.user_id) as
        remaining
      from second_factors f where f.user_id = ${caller.userId} and f.confirmed_at is not null`,
    );
    return {
      data: { enabled: row !== undefined, since: row?.since ?? null, recovery_codes_left: row?.remaining ?? 0 },
    };
  });

  serve(app, 'POST /account/second-factor', async ({ body, transaction }, { caller }) => {
    await confirmPassword(db, caller, body.current_password);
    if (await hasSecondFactor(db, caller.userId)) throw ApiError.conflict('second_factor_on');
    const secret = await transaction((tx) => enrolSecondFactor(services, tx, caller.userId));
    const user = await db.selectOne({ email: pg.text }, sql`select email from users where id = ${caller.userId}`);
    return {
      data: { secret: base32(secret), uri: keyUri({ secret, account: user?.email ?? '', issuer: 'Sweepline' }) },
    };
  });

  serve(app, 'POST /account/second-factor/confirm', async ({ body, transaction }, { caller }) => {
    const { userId } = caller;
    if (await hasSecondFactor(db, userId)) throw ApiError.conflict('second_factor_on');
    await requireCode(userId, body.code);
    const recovery_codes = await transaction(async (tx) => {
      const confirmedRow = await tx.one(
        sql`update second_factors set confirmed_at = now() where user_id = ${userId} and confirmed_at is null
          returning user_id`,
      );
      if (!confirmedRow) throw ApiError.conflict('second_factor_on');
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'second_factor_on' }, [{ id: userId }]);
      await mailAccountNotice(services, tx, userId, 'second_factor_on');
      return createRecoveryCodes(tx, userId);
    });
    return { data: { recovery_codes } };
  });

  serve(app, 'POST /account/second-factor/recovery-codes', async ({ body, transaction }, { caller }) => {
    await confirmPassword(db, caller, body.current_password);
    if (!(await hasSecondFactor(db, caller.userId))) throw ApiError.notFound();
    await requireCode(caller.userId, body.code);
    const recovery_codes = await transaction(async (tx) => {
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'recovery_codes' }, [{ id: caller.userId }]);
      return createRecoveryCodes(tx, caller.userId);
    });
    return { data: { recovery_codes } };
  });

  serve(app, 'POST /account/second-factor/off', async ({ body, transaction }, { caller }) => {
    await confirmPassword(db, caller, body.current_password);
    if (!(await hasSecondFactor(db, caller.userId))) throw ApiError.notFound();
    await requireCode(caller.userId, body.code);
    await transaction(async (tx) => {
      if (await removeSecondFactor(tx, caller.userId))
        await writeAuditEntries(tx, { entity: users, by: caller, action: 'second_factor_off' }, [
          { id: caller.userId },
        ]);
      await mailAccountNotice(services, tx, caller.userId, 'second_factor_off');
    });
  });

  async function requireCode(userId: number, code: string): Promise<void> {
    if (!(await redeemCode(services, userId, code)))
      throw ApiError.invalidAt('code', { text: 'code_invalid' }, 'users');
  }
};
