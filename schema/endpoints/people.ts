/** Calls about users, invitations and roles. */
import Type, { type Static } from 'typebox';
import type { EntityName } from '..';
import { longtext, ref, refs, text } from '../dsl/field';
import { invitations } from '../entities/invitations';
import type { ScopeKind } from '../shared/roles';
import {
  countSchema,
  dataOf,
  defineEndpoints,
  idSchema,
  nullable,
  oneOf,
  pageOf,
  rowOf,
  wholeDialect,
} from './endpoint';
import { SessionSchema } from './session';

const resource = Type.Unsafe<EntityName>({ type: 'string' });
const kind = Type.String();
/** Explains why a user can or cannot do something. */
const AccessSchema = Type.Object({
  allowed: Type.Boolean(),
  permission: Type.Object({
    code: Type.String(),
    held: Type.Boolean(),
    /** Whether it is the user's own row, some fields of which they may change. */
    own: Type.Boolean(),
    roles: Type.Array(
      Type.Object({
        id: idSchema,
        name: Type.String(),
        scope: Type.Unsafe<ScopeKind>({ type: 'string' }),
        holds: Type.Boolean(),
      }),
    ),
  }),
  reach: Type.Object({
    reached: Type.Boolean(),
    everything: nullable(oneOf(['all', 'global'])),
    /** Links that lead to the row. Names are those of rows that the reader may see. */
    by: Type.Array(Type.Object({ kind, resource, id: idSchema, name: nullable(Type.String()) })),
    ways: Type.Array(Type.Object({ kind, resource, count: countSchema })),
  }),
});
export type AccessResult = Static<typeof AccessSchema>;

/** Result for an address. `pending`: an open invitation already exists. */
const InvitationOutcomeSchema = Type.Object({
  email: Type.String(),
  result: oneOf(['invited', 'pending', 'refused']),
  id: Type.Optional(idSchema),
  message: Type.Optional(Type.String()),
});
export type InvitationOutcome = Static<typeof InvitationOutcomeSchema>;

/** Maximum users to whom one call assigns a role. */
const maxUsers = 1000;
const { role_id, client_id, language_id } = invitations.fields;
const CountSchema = Type.Object({ count: countSchema });

export const peopleEndpoints = defineEndpoints({
  'GET /users/getUsersByCompanyCustomerAdmin/{clientId}': {
    summary: 'Users of a client',
    tag: 'users',
    dialect: wholeDialect,
    response: pageOf(rowOf('users')),
    refuses: [400, 401, 403, 404],
  },
  'GET /users/{id}/access': {
    summary: 'Why a user can or cannot do something: roles that permit it, and the links that lead to a row',
    tag: 'users',
    permission: 'users.show',
    row: 'users',
    query: { resource: text(), action: text({ default: 'show' }), id: text() },
    response: dataOf(AccessSchema),
    refuses: [401, 403, 404, 422],
  },
  'POST /users/{id}/impersonate': {
    summary: 'Impersonate a user for 30 minutes, read-only; returns a session as a log-in does',
    tag: 'users',
    interactive: true,
    permission: 'users.impersonate',
    row: 'users',
    response: SessionSchema,
    refuses: [401, 403, 404, 409],
  },
  'POST /invitations/many': {
    summary: 'Invite many addresses in free text; each has its own result: `invited`, `pending` or `refused`',
    tag: 'invitations',
    permission: 'invitations.create',
    body: { emails: longtext({ required: true }), role_id, client_id, language_id },
    labels: 'invitations',
    response: dataOf(Type.Array(InvitationOutcomeSchema)),
    refuses: [401, 403, 422],
  },
  'POST /invitations/{id}/resend': {
    summary: 'Send an invitation again',
    tag: 'invitations',
    permission: 'invitations.edit',
    row: 'invitations',
    response: dataOf(rowOf('invitations')),
    refuses: [401, 403, 404, 409],
  },
  'POST /roles/{id}/users': {
    summary: 'Assign a role to many users, all or none',
    tag: 'roles',
    permission: 'users.edit',
    row: 'roles',
    body: { user_ids: refs('users', { required: true, max: maxUsers }) },
    labels: 'users',
    response: CountSchema,
    refuses: [401, 403, 404, 422],
  },
  'POST /roles/{id}/replace': {
    summary: 'Replace a role by another for its users and invitations, and move it to the bin',
    tag: 'roles',
    permission: ['roles.delete', 'users.edit'],
    row: 'roles',
    body: { replacement_id: ref('roles', { required: true }) },
    labels: 'roles',
    response: CountSchema,
    refuses: [401, 403, 404, 409, 422],
  },
});
