/**
 * `POST /invitations/many`: one invitation per address, with an outcome each. A refused address does not stop the
 * others; a problem with the role, client or language fails the whole call.
 */
import { sql } from 'drizzle-orm';
import type { InvitationOutcome } from '../../../schema/endpoints/people';
import { addressesOf } from '../../../schema/shared/addressesOf';
import { scopeWhere } from '../../access/scopeWhere';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { publishChanges } from '../../crud/write/publishChanges';
import { createRow } from '../../crud/write/rowWrites';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { problemText } from '../../i18n/messages';

/** Maximum addresses per call, because each one costs a transaction and a mail. */
const maxAddresses = 200;

export const inviteManyRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const invitations = model.require('invitations');

  serve(app, 'POST /invitations/many', async ({ body: { emails, ...sharedValues }, transaction }, { caller }) => {
    const addresses = addressesOf(emails);
    if (addresses.length === 0) throw ApiError.invalidAt('emails', { key: 'required' }, 'invitations');
    if (addresses.length > maxAddresses)
      throw ApiError.invalidAt('emails', { key: 'max_entries', values: { max: maxAddresses } }, 'invitations');
    const outcomes: InvitationOutcome[] = [];
    for (const email of addresses) outcomes.push(await invite(email));
    return { data: outcomes };

    async function invite(email: string): Promise<InvitationOutcome> {
      const openInvitation = await db.selectOne(
        { id: pg.integer },
        sql`select m.id from invitations m where lower(m.email) = lower(${email}) and not m.accepted
          and m.expires_at > now() and m.deleted_at is null
          and ${scopeWhere(invitations, caller, sql.raw('m'))} limit 1`,
      );
      if (openInvitation) return { email, result: 'pending' };
      try {
        const createdInvitation = await transaction((tx, inviter) =>
          createRow({
            services,
            tx,
            entity: invitations,
            caller: inviter,
            body: { values: { ...sharedValues, email }, images: new Map() },
          }),
        );
        await publishChanges({ services, entity: invitations, caller, action: 'create' }, [createdInvitation]);
        return { email, result: 'invited', id: createdInvitation.id };
      } catch (error) {
        const errors = error instanceof ApiError ? error.details.errors : undefined;
        if (!errors) throw error;
        // A problem with the role, client or language concerns every address, so the whole call fails at that field.
        const sharedErrors = new Map([...errors].filter(([field]) => field !== 'email'));
        if (sharedErrors.size > 0) throw ApiError.invalid(sharedErrors, 'invitations');
        const [problem] = errors.get('email') ?? [];
        return {
          email,
          result: 'refused',
          message: problem && problemText(caller.language, { entity: invitations, field: 'email', problem }),
        };
      }
    }
  });
};
