/**
 * `POST /invitations/many`: one invitation per address, each judged and answered by itself; what is wrong with one
 * keeps no other from being sent.
 */
import { sql } from 'drizzle-orm';
import { registry } from '../../../schema';
import { longtext } from '../../../schema/dsl/field';
import { addressesOf } from '../../../schema/shared/addresses';
import { scopeWhere } from '../../access/scope';
import { requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { publishChanges } from '../../crud/write/publishChanges';
import { createRow } from '../../crud/write/write';
import { apiPrefix } from '../../http/http';
import { readBodyFields } from '../../http/readBody';
import { problemText } from '../../i18n/messages';

/** Addresses at once: each costs a transaction and a mail. */
const most = 200;

/** What became of an address: `invited`, `pending` (an invitation is open already), `refused`. */
interface Outcome {
  email: string;
  result: 'invited' | 'pending' | 'refused';
  id?: number;
  message?: string;
}

export const manyRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const invitations = model.require('invitations');
  const { role_id, client_id, language_id } = registry.invitations.fields;

  app.post(`${apiPrefix}/invitations/many`, async (request) => {
    const { caller } = request;
    requirePermission(caller, 'invitations.create');
    const fields = { emails: longtext({ required: true }), role_id, client_id, language_id };
    const { emails, ...shared } = (await readBodyFields(request, fields, 'invitations')) as { emails: string } & Record<
      string,
      unknown
    >;
    const addresses = addressesOf(emails);
    if (addresses.length === 0) throw ApiError.invalidAt('emails', { key: 'required' }, 'invitations');
    if (addresses.length > most)
      throw ApiError.invalidAt('emails', { key: 'max_entries', values: { max: most } }, 'invitations');
    const outcomes: Outcome[] = [];
    for (const email of addresses) outcomes.push(await invite(email));
    return { data: outcomes };

    async function invite(email: string): Promise<Outcome> {
      const open = await db.one<{ id: number }>(
        sql`select m.id from invitations m where lower(m.email) = lower(${email}) and not m.accepted
          and m.expires_at > now() and m.deleted_at is null
          and ${scopeWhere(invitations, caller, sql.raw('m'))} limit 1`,
      );
      if (open) return { email, result: 'pending' };
      try {
        const made = await db.transaction((tx) =>
          createRow({
            services,
            tx,
            entity: invitations,
            caller,
            sent: { values: { ...shared, email }, images: new Map() },
          }),
        );
        await publishChanges({ services, entity: invitations, caller, action: 'create' }, [made]);
        return { email, result: 'invited', id: made.id };
      } catch (error) {
        const errors = error instanceof ApiError ? error.more.errors : undefined;
        if (!errors) throw error;
        // What is wrong with role, company or language is wrong for every address: it is said at its field.
        if (!errors.has('email')) throw error;
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
