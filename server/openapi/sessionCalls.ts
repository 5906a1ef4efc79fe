/** The calls of logging in, of passwords and of invitations, and those that answer with users. */
import type { Call } from './call';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };
const id: Schema = { type: 'integer', minimum: 1 };
const passwords = { password: text, password_confirmation: text };

export const sessionCalls: Readonly<Record<string, Call>> = {
  'POST /users/logout': { summary: 'Log out; the token is dead at once', tag: 'session', status: 204, refuses: [401] },
  'POST /users/forgotPassword': {
    summary: 'Ask for a mail to reset the password',
    tag: 'session',
    body: { email: text },
    refuses: [422, 429],
    open: true,
  },
  'POST /users/verifyResetPassword': {
    summary: 'Set a new password by the token or the code of the mail',
    tag: 'session',
    body: { token: text, email: text, code: text, ...passwords },
    optional: ['token', 'email', 'code'],
    refuses: [422, 429],
    open: true,
  },
  'PUT /users/{id}/language': {
    summary: 'Change the language of a user',
    tag: 'session',
    body: { language_id: id },
    refuses: [401, 403, 404, 422],
  },
  'GET /languages/{id}/token': {
    summary: 'The user token after a change of language',
    tag: 'session',
    refuses: [401, 404],
  },
  'GET /languages/all': {
    summary: 'All languages',
    tag: 'languages',
    query: ['sort', 'per_page', 'page'],
    refuses: [400, 401, 403],
  },
  'POST /users/{id}/password': {
    summary: 'Change the own password; other sessions end',
    tag: 'session',
    body: { current_password: text, ...passwords },
    status: 204,
    refuses: [401, 403, 404, 422],
  },
  'GET /users/refreshInformationAboutUser/{id}': {
    summary: 'A user with a fresh user token',
    tag: 'session',
    refuses: [401, 403, 404],
  },
  'GET /users/getUsersByCompanyCustomerAdmin/{clientId}': {
    summary: 'Users of a client',
    tag: 'users',
    query: ['per_page', 'page', 'filter', 'include'],
    refuses: [400, 401, 403, 404],
  },
  'GET /invitations/token/{token}': {
    summary: 'The invitation behind a link',
    tag: 'session',
    refuses: [404],
    open: true,
  },
  'POST /invitations/accept': {
    summary: 'Accept an invitation and log in',
    tag: 'session',
    body: { token: text, first_name: text, last_name: text, ...passwords },
    refuses: [404, 422],
    open: true,
  },
  'POST /invitations/{id}/resend': {
    summary: 'Send an invitation again',
    tag: 'invitations',
    refuses: [401, 403, 404, 409],
  },
};
