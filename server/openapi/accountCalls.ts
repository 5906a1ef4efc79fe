/** The calls of the own account, and what Admins do for the accounts of others. */
import { mostTokenDays } from '../../schema/shared/account';
import { notificationChannels, notificationEvents } from '../../schema/shared/notifications';
import type { Call } from './call';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };
const notificationChoice: Schema = {
  type: 'object',
  required: ['event', 'channel', 'wanted'],
  properties: {
    event: { type: 'string', enum: [...notificationEvents] },
    channel: { type: 'string', enum: [...notificationChannels] },
    wanted: { type: 'boolean' },
  },
};

export const accountCalls: Readonly<Record<string, Call>> = {
  'GET /login/methods': { summary: 'How one may sign in beside the password', tag: 'session', refuses: [], open: true },
  'GET /login/oidc': {
    summary: 'Sends the browser to the identity provider (where OIDC_ISSUER is set)',
    tag: 'session',
    status: 302,
    refuses: [404, 429],
    open: true,
  },
  'GET /login/oidc/callback': {
    summary: 'Where it comes back to; goes on to /login#sso=, followed by a ticket, `failed` or `unknown`',
    tag: 'session',
    query: ['state', 'code', 'error', 'iss'],
    status: 302,
    refuses: [404],
    open: true,
  },
  'POST /login/oidc': {
    summary: 'The ticket becomes a session, in the same browser and once',
    tag: 'session',
    body: { ticket: text },
    refuses: [404, 422],
    open: true,
  },
  'POST /login/second-factor': {
    summary:
      'The second step, where POST /login answered `{two_factor: true, ticket}`: a code of the app, or a recovery code',
    tag: 'session',
    body: { ticket: text, code: text },
    refuses: [422, 429],
    open: true,
  },
  'GET /account/notifications': {
    summary: 'What the caller wants to be told of, by event and channel',
    tag: 'account',
    refuses: [401, 403],
  },
  'PUT /account/notifications': {
    summary: 'Change it; what is not named stays',
    tag: 'account',
    body: { choices: { type: 'array', items: notificationChoice } },
    refuses: [401, 403, 422],
  },
  'GET /account/sessions': { summary: 'Where the caller is signed in', tag: 'account', refuses: [401, 403] },
  'DELETE /account/sessions': {
    summary: 'Log out everywhere, here too',
    tag: 'account',
    status: 204,
    refuses: [401, 403],
  },
  'DELETE /account/sessions/{id}': {
    summary: 'End one session',
    tag: 'account',
    status: 204,
    refuses: [401, 403, 404],
  },
  'GET /account/tokens': { summary: 'API tokens of the caller', tag: 'account', refuses: [401, 403] },
  'POST /account/tokens': {
    summary:
      'Make an API token, shown once; limited to `permissions` (code names, or `*.list` for every resource) and ' +
      'never wider than its owner. Calls of the account are closed to it',
    tag: 'account',
    body: {
      name: text,
      days: { type: 'integer', minimum: 1, maximum: mostTokenDays },
      permissions: { type: ['array', 'null'], items: text },
    },
    optional: ['permissions'],
    status: 201,
    refuses: [401, 403, 409, 422],
  },
  'DELETE /account/tokens/{id}': {
    summary: 'Revoke an API token',
    tag: 'account',
    status: 204,
    refuses: [401, 403, 404],
  },
  'GET /account/emails': {
    summary: 'E-mail addresses of the caller, the primary one first',
    tag: 'account',
    refuses: [401, 403],
  },
  'POST /account/emails': {
    summary: 'Add an address; a mail asks whether it is right',
    tag: 'account',
    body: { email: text },
    status: 201,
    refuses: [401, 403, 422, 429],
  },
  'POST /account/emails/{id}/verification': {
    summary: 'Send that mail again',
    tag: 'account',
    status: 204,
    refuses: [401, 403, 404, 409, 429],
  },
  'POST /account/emails/{id}/primary': {
    summary: 'Make a verified address the primary one',
    tag: 'account',
    refuses: [401, 403, 404, 422],
  },
  'DELETE /account/emails/{id}': {
    summary: 'Remove an address',
    tag: 'account',
    status: 204,
    refuses: [401, 403, 404, 409],
  },
  'POST /emails/verify': {
    summary: 'Verify an address by the token of the mail',
    tag: 'session',
    body: { token: text },
    refuses: [422],
    open: true,
  },
  'GET /account/export': {
    summary: 'Everything that is kept about the caller, as a file',
    tag: 'account',
    refuses: [401, 403],
  },
  'POST /account/delete': {
    summary: 'Delete the own account: what must stay points at a row without a name',
    tag: 'account',
    body: { current_password: text },
    status: 204,
    refuses: [401, 403, 409, 422, 429],
  },
  'GET /account/second-factor': { summary: 'Whether logging in takes a code', tag: 'account', refuses: [401, 403] },
  'POST /account/second-factor': {
    summary: 'A new secret for an authenticator app; it counts once its first code was right',
    tag: 'account',
    body: { current_password: text },
    refuses: [401, 403, 409, 422, 429],
  },
  'POST /account/second-factor/confirm': {
    summary: 'Switch it on with the first code; gives recovery codes, shown once',
    tag: 'account',
    body: { code: text },
    refuses: [401, 403, 409, 422, 429],
  },
  'POST /account/second-factor/recovery-codes': {
    summary: 'New recovery codes; the old ones are dead',
    tag: 'account',
    body: { current_password: text, code: text },
    refuses: [401, 403, 404, 422, 429],
  },
  'POST /account/second-factor/off': {
    summary: 'Switch it off',
    tag: 'account',
    body: { current_password: text, code: text },
    status: 204,
    refuses: [401, 403, 404, 422, 429],
  },
  'DELETE /users/{id}/second-factor': {
    summary: 'Reset the second factor of another user (Admin)',
    tag: 'users',
    status: 204,
    refuses: [401, 403, 404, 409],
  },
  'DELETE /users/{id}/sessions': {
    summary: 'End every session of another user, and revoke their API tokens',
    tag: 'users',
    status: 204,
    refuses: [401, 403, 404, 409],
  },
};
