/** The calls of the own account, and what Admins do for the accounts of others. */
import { mostTokenDays } from '../../../schema/account';
import { notificationChannels, notificationEvents } from '../../../schema/notifications';
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
  'POST /login/second-factor': {
    summary: 'The second step, where POST /login answered `{two_factor: true, ticket}`: a code of the app, or a recovery code',
    tag: 'session',
    body: { ticket: text, code: text },
    refuses: [422, 429],
    open: true,
  },
  'GET /account/notifications': { summary: 'What the caller wants to be told of, by event and channel', tag: 'account', refuses: [401, 403] },
  'PUT /account/notifications': {
    summary: 'Change it; what is not named stays',
    tag: 'account',
    body: { choices: { type: 'array', items: notificationChoice } },
    refuses: [401, 403, 422],
  },
  'GET /account/sessions': { summary: 'Where the caller is signed in', tag: 'account', refuses: [401, 403] },
  'DELETE /account/sessions': { summary: 'Log out everywhere, here too', tag: 'account', status: 204, refuses: [401, 403] },
  'DELETE /account/sessions/{id}': { summary: 'End one session', tag: 'account', status: 204, refuses: [401, 403, 404] },
  'GET /account/tokens': { summary: 'API tokens of the caller', tag: 'account', refuses: [401, 403] },
  'POST /account/tokens': {
    summary:
      'Make an API token, shown once; limited to `permissions` (code names, or `*.list` for every resource) and never wider than its owner. Calls of the account are closed to it',
    tag: 'account',
    body: { name: text, days: { type: 'integer', minimum: 1, maximum: mostTokenDays }, permissions: { type: ['array', 'null'], items: text } },
    optional: ['permissions'],
    status: 201,
    refuses: [401, 403, 409, 422],
  },
  'DELETE /account/tokens/{id}': { summary: 'Revoke an API token', tag: 'account', status: 204, refuses: [401, 403, 404] },
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
  'DELETE /users/{id}/second-factor': { summary: 'Reset the second factor of another user (Admin)', tag: 'users', status: 204, refuses: [401, 403, 404, 409] },
  'DELETE /users/{id}/sessions': {
    summary: 'End every session of another user, and revoke their API tokens',
    tag: 'users',
    status: 204,
    refuses: [401, 403, 404, 409],
  },
};
