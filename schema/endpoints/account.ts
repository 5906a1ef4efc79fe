/** Calls on one's own account. API tokens cannot use them. */
import Type, { type Static } from 'typebox';
import { boolean, choice, email, integer, records, tags, text } from '../dsl/field';
import { maxTokenDays } from '../shared/account';
import { notificationChannels, notificationEvents } from '../shared/notifications';
import { anyObject, countSchema, dataOf, defineEndpoints, idSchema, instantSchema, nullable, oneOf } from './endpoint';
import { issuedTokenFields, newTokenFields } from './issuedTokens';

const NotificationChoicesSchema = Type.Array(
  Type.Object({
    event: oneOf(notificationEvents),
    channel: oneOf(notificationChannels),
    wanted: Type.Boolean(),
  }),
);

const OwnSessionSchema = Type.Object({
  id: idSchema,
  address: nullable(Type.String()),
  created_at: instantSchema,
  expires_at: instantSchema,
  last_used_at: instantSchema,
  browser: nullable(Type.String()),
  system: nullable(Type.String()),
  is_current: Type.Boolean(),
});

export type OwnSession = Static<typeof OwnSessionSchema>;

/** Code names, or `*.list` for every resource; `null` stands for all permissions of the owner. */
const permissions = nullable(Type.Array(Type.String()));
const ApiTokenSchema = Type.Object({ ...issuedTokenFields, permissions });
export type ApiToken = Static<typeof ApiTokenSchema>;

/** An address of the caller. Lists begin with the primary one. */
const OwnAddressSchema = Type.Object({
  id: idSchema,
  email: Type.String(),
  verified: Type.Boolean(),
  primary: Type.Boolean(),
});
export type OwnAddress = Static<typeof OwnAddressSchema>;
const OwnAddressesSchema = Type.Array(OwnAddressSchema);

const SecondFactorSchema = Type.Object({
  enabled: Type.Boolean(),
  since: nullable(instantSchema),
  recovery_codes_left: countSchema,
});
/** Secret for an authenticator app, and the URI of its QR code. */
const FactorSecretSchema = Type.Object({ secret: Type.String(), uri: Type.String() });
export type FactorSecret = Static<typeof FactorSecretSchema>;
const RecoveryCodesSchema = Type.Object({ recovery_codes: Type.Array(Type.String()) });

const current_password = text({ max: 1000 });
const code = text({ required: true, max: 20 });
const choiceFields = {
  event: choice(notificationEvents, { required: true }),
  channel: choice(notificationChannels, { required: true }),
  wanted: boolean({ required: true }),
};

export const accountEndpoints = defineEndpoints({
  'GET /account/notifications': {
    summary: 'Notification choices of the caller, by event and channel',
    tag: 'account',
    interactive: true,
    response: dataOf(NotificationChoicesSchema),
    refuses: [401, 403],
  },
  'PUT /account/notifications': {
    summary: 'Change the given choices; others stay unchanged',
    tag: 'account',
    interactive: true,
    body: { choices: records(choiceFields, { required: true }) },
    response: dataOf(NotificationChoicesSchema),
    refuses: [401, 403, 422],
  },
  'GET /account/sessions': {
    summary: 'Sessions of the caller',
    tag: 'account',
    interactive: true,
    response: dataOf(Type.Array(OwnSessionSchema)),
    refuses: [401, 403],
  },
  'DELETE /account/sessions': {
    summary: 'End all sessions of the caller, including this one',
    tag: 'account',
    interactive: true,
    refuses: [401, 403],
  },
  'DELETE /account/sessions/{id}': {
    summary: 'End one session',
    tag: 'account',
    interactive: true,
    refuses: [401, 403, 404],
  },
  'GET /account/tokens': {
    summary: 'API tokens of the caller',
    tag: 'account',
    interactive: true,
    response: dataOf(Type.Array(ApiTokenSchema)),
    refuses: [401, 403],
  },
  'POST /account/tokens': {
    summary:
      'Create an API token, shown once; limited to `permissions` (code names, or `*.list` for every resource) and ' +
      'never wider than its owner. It cannot call `/account`',
    tag: 'account',
    interactive: true,
    body: {
      name: text({ required: true, max: 60 }),
      days: integer({ required: true, min: 1, max: maxTokenDays }),
      permissions: tags(),
    },
    status: 201,
    response: dataOf(Type.Object({ ...newTokenFields, permissions })),
    refuses: [401, 403, 409, 422],
  },
  'DELETE /account/tokens/{id}': {
    summary: 'Revoke an API token',
    tag: 'account',
    interactive: true,
    refuses: [401, 403, 404],
  },
  'GET /account/emails': {
    summary: 'E-mail addresses of the caller, the primary one first',
    tag: 'account',
    interactive: true,
    response: dataOf(OwnAddressesSchema),
    refuses: [401, 403],
  },
  'POST /account/emails': {
    summary: 'Add an address; a mail asks to verify it',
    tag: 'account',
    interactive: true,
    body: { email: email({ required: true }) },
    status: 201,
    response: dataOf(OwnAddressesSchema),
    refuses: [401, 403, 422, 429],
  },
  'POST /account/emails/{id}/verification': {
    summary: 'Send the verification mail again',
    tag: 'account',
    interactive: true,
    refuses: [401, 403, 404, 409, 429],
  },
  'POST /account/emails/{id}/primary': {
    summary: 'Make a verified address the primary one',
    tag: 'account',
    interactive: true,
    response: dataOf(OwnAddressesSchema),
    refuses: [401, 403, 404, 422],
  },
  'DELETE /account/emails/{id}': {
    summary: 'Remove an address',
    tag: 'account',
    interactive: true,
    refuses: [401, 403, 404, 409],
  },
  'GET /account/export': {
    summary: 'Export everything stored about the caller: their own row, and by table the rows that refer to them',
    tag: 'account',
    interactive: true,
    response: Type.Object(
      { exported_at: instantSchema, user: anyObject, changes: Type.Array(anyObject) },
      { additionalProperties: true },
    ),
    refuses: [401, 403],
  },
  'POST /account/delete': {
    summary: 'Delete the account of the caller; rows that must stay refer to an anonymous user',
    tag: 'account',
    interactive: true,
    body: { current_password },
    refuses: [401, 403, 409, 422, 429],
  },
  'GET /account/second-factor': {
    summary: 'Whether log-in requires a second factor',
    tag: 'account',
    interactive: true,
    response: dataOf(SecondFactorSchema),
    refuses: [401, 403],
  },
  'POST /account/second-factor': {
    summary: 'Create a secret for an authenticator app; takes effect once its first code is confirmed',
    tag: 'account',
    interactive: true,
    body: { current_password },
    response: dataOf(FactorSecretSchema),
    refuses: [401, 403, 409, 422, 429],
  },
  'POST /account/second-factor/confirm': {
    summary: 'Confirm the second factor with its first code; returns recovery codes, shown once',
    tag: 'account',
    interactive: true,
    body: { code },
    response: dataOf(RecoveryCodesSchema),
    refuses: [401, 403, 409, 422, 429],
  },
  'POST /account/second-factor/recovery-codes': {
    summary: 'Create new recovery codes; invalidates the old ones',
    tag: 'account',
    interactive: true,
    body: { current_password, code },
    response: dataOf(RecoveryCodesSchema),
    refuses: [401, 403, 404, 422, 429],
  },
  'POST /account/second-factor/off': {
    summary: 'Remove the second factor',
    tag: 'account',
    interactive: true,
    body: { current_password, code },
    refuses: [401, 403, 404, 422, 429],
  },
  'DELETE /users/{id}/second-factor': {
    summary: 'Reset the second factor of another user (Admin)',
    tag: 'users',
    refuses: [401, 403, 404, 409],
  },
  'DELETE /users/{id}/sessions': {
    summary: 'End every session of another user, and revoke their API tokens',
    tag: 'users',
    refuses: [401, 403, 404, 409],
  },
});
