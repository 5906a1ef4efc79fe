/** Calls to log in and out, to reset passwords and to accept invitations, and the configuration of pages. */
import Type, { type Static } from 'typebox';
import { email, password, ref, text } from '../dsl/field';
import { dataOf, defineEndpoints, idSchema, instantSchema, nullable, pageOf, rowOf, wholeDialect } from './endpoint';

/** A new session. `user_token` is a JWT that describes the user to the browser; it grants nothing. */
export const SessionSchema = Type.Object({ token: Type.String(), user_token: Type.String(), user: rowOf('users') });

/** The password was correct; `POST /login/second-factor` now requires a code. */
const SecondStepSchema = Type.Object({ two_factor: Type.Literal(true), ticket: Type.String() });
const LoginSchema = Type.Union([SessionSchema, SecondStepSchema]);

const InvitationSchema = Type.Object({
  email: Type.String(),
  role: Type.String(),
  client: nullable(Type.String()),
  language_id: idSchema,
  /** Two-letter code; null if the language is gone. */
  language: nullable(Type.String()),
  expires_at: instantSchema,
});

const ConfigSchema = Type.Object({
  /** Template such as `https://tiles.example.org/{z}/{x}/{y}.png`; null if there are no tiles. */
  tile_url: nullable(Type.String()),
  /** Attribution that the licence of the tiles requires. */
  tile_attribution: nullable(Type.String()),
  /** Maximum rows of an imported file. */
  import_rows: Type.Integer(),
  /** URL under which people open the product, without trailing slash. Printed links begin with it. */
  public_url: Type.String(),
});
export type ServerConfig = Static<typeof ConfigSchema>;

const DemoLoginSchema = Type.Object({ role: Type.String(), email: Type.String(), password: Type.String() });

const ticket = text({ required: true, max: 200 });
const token = text({ required: true, max: 200 });
const name = text({ required: true, max: 60 });
const callbackText = text({ max: 4096 });
/** A new password and its repetition. */
const newPassword = {
  password: password({ required: true }),
  password_confirmation: password({ same: 'password' }),
} as const;

export const sessionEndpoints = defineEndpoints({
  'POST /login': {
    summary: 'Log in',
    tag: 'session',
    public: true,
    body: { email: text({ required: true, max: 254 }), password: text({ required: true, max: 1000 }) },
    response: LoginSchema,
    refuses: [422, 429],
  },
  'POST /login/second-factor': {
    summary:
      'Second step after POST /login answered `{two_factor: true, ticket}`: a code of the app or a recovery code',
    tag: 'session',
    public: true,
    body: { ticket, code: text({ required: true, max: 20 }) },
    response: SessionSchema,
    refuses: [422, 429],
  },
  'GET /login/methods': {
    summary: 'Ways to sign in besides the password',
    tag: 'session',
    public: true,
    response: dataOf(Type.Object({ oidc: Type.Boolean() })),
    refuses: [],
  },
  'GET /login/oidc': {
    summary: 'Redirect to the identity provider, if OIDC_ISSUER is set',
    tag: 'session',
    public: true,
    status: 302,
    refuses: [404, 429],
  },
  'GET /login/oidc/callback': {
    summary: 'Return from the identity provider; redirects to /login#sso=, followed by a ticket, `failed` or `unknown`',
    tag: 'session',
    public: true,
    query: { state: callbackText, code: callbackText, error: callbackText, iss: callbackText },
    status: 302,
    refuses: [404],
  },
  'POST /login/oidc': {
    summary: 'Exchange the ticket for a session, once and in the same browser',
    tag: 'session',
    public: true,
    body: { ticket },
    response: LoginSchema,
    refuses: [404, 422],
  },
  'POST /users/logout': {
    summary: 'Log out; invalidates the token at once',
    tag: 'session',
    reads: true,
    refuses: [401, 403],
  },
  'POST /users/forgotPassword': {
    summary: 'Ask for a mail to reset the password',
    tag: 'session',
    public: true,
    body: { email: email({ required: true }) },
    response: Type.Object({ sent: Type.Boolean() }),
    refuses: [422, 429],
  },
  'POST /users/verifyResetPassword': {
    summary: 'Set a new password with the token or the code from the mail',
    tag: 'session',
    public: true,
    body: { token: text({ max: 200 }), code: text({ max: 20 }), email: text({ max: 254 }), ...newPassword },
    response: Type.Object({ reset: Type.Boolean() }),
    refuses: [422, 429],
  },
  'PUT /users/{id}/language': {
    summary: 'Change the language of a user',
    tag: 'session',
    interactive: true,
    body: { language_id: ref('languages', { required: true }) },
    response: dataOf(rowOf('users')),
    refuses: [401, 403, 404, 422],
  },
  'GET /languages/{id}/token': {
    summary: 'A new user token, after a change of language',
    tag: 'session',
    interactive: true,
    response: Type.Object({ user_token: Type.String() }),
    refuses: [401, 403, 404],
  },
  'GET /languages/all': {
    summary: 'All languages',
    tag: 'languages',
    dialect: wholeDialect,
    response: pageOf(rowOf('languages')),
    refuses: [400, 401, 403],
  },
  'POST /users/{id}/password': {
    summary: 'Change the password of the caller; requires the current one, ends other sessions',
    tag: 'session',
    interactive: true,
    body: { current_password: text({ max: 1000 }), ...newPassword },
    refuses: [401, 403, 404, 422],
  },
  'GET /users/refreshInformationAboutUser/{id}': {
    summary: 'A user with a new user token',
    tag: 'session',
    response: Type.Object({ data: rowOf('users'), user_token: Type.String() }),
    refuses: [401, 403, 404],
  },
  'GET /invitations/token/{token}': {
    summary: 'The invitation behind a link',
    tag: 'session',
    public: true,
    params: { token: text() },
    query: {},
    response: dataOf(InvitationSchema),
    refuses: [404],
  },
  'POST /invitations/accept': {
    summary: 'Accept an invitation and log in',
    tag: 'session',
    public: true,
    body: { token, first_name: name, last_name: name, ...newPassword },
    response: SessionSchema,
    refuses: [404, 422],
  },
  'POST /emails/verify': {
    summary: 'Verify an address with the token from the mail',
    tag: 'session',
    public: true,
    body: { token },
    response: Type.Object({ verified: Type.Boolean() }),
    refuses: [422],
  },
  'GET /demo': {
    summary: 'Log-ins of the demo, one per role; empty outside the demo',
    tag: 'session',
    public: true,
    response: dataOf(Type.Array(DemoLoginSchema)),
    refuses: [],
  },
  'GET /config': {
    summary: 'Configuration of the browser: map tiles, maximum rows of an import, public address',
    tag: 'dashboard',
    wall: true,
    response: dataOf(ConfigSchema),
    refuses: [401],
  },
});
