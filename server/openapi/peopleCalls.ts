/** Calls about people and their rights. */
import type { Call } from './call';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };
const id: Schema = { type: 'integer', minimum: 1 };

export const peopleCalls: Record<string, Call> = {
  'POST /invitations/many': {
    summary:
      'Invite many addresses at once, pasted as they are; each is answered by itself: `invited`, `pending` or ' +
      '`refused`',
    tag: 'invitations',
    body: { emails: text, role_id: id, client_id: id, language_id: id },
    optional: ['client_id'],
    refuses: [401, 403, 422],
  },
  'GET /users/{id}/access': {
    summary: 'Why a user can or cannot do something: roles that permit it, and the links that lead to a row',
    tag: 'users',
    query: ['resource', 'action', 'id'],
    refuses: [401, 403, 404, 422],
  },
  'POST /users/{id}/impersonate': {
    summary:
      'Look at the product as another user, for 30 minutes and without changing anything; answers as a login does',
    tag: 'users',
    refuses: [401, 403, 404, 409],
  },
  'POST /roles/{id}/users': {
    summary: 'Give a role to many users, to all of them or none',
    tag: 'roles',
    body: { user_ids: { type: 'array', items: id } },
    refuses: [401, 403, 404, 422],
  },
  'POST /roles/{id}/replace': {
    summary: 'Give everybody who holds a role, or is invited to it, another one and send it to the bin',
    tag: 'roles',
    body: { replacement_id: id },
    refuses: [401, 403, 404, 409, 422],
  },
};
