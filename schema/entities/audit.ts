import { entity } from '../dsl/entity';
import { choice, instant, integer, longtext, records, tags, text } from '../dsl/field';

/**
 * Actions on a row. `remove` purges it from the trash; `secret` gives a device a new secret; `impersonate` uses the
 * product as that user.
 */
const rowActions = ['create', 'edit', 'delete', 'restore', 'remove', 'secret', 'impersonate'] as const;
/** Actions on a user's account other than changed fields. `oidc_link`: first log-in through the identity provider. */
const accountActions = [
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'recovery_codes',
  'token_create',
  'token_revoke',
  'wall_create',
  'wall_revoke',
  'sessions_end',
  'email_verify',
  'oidc_link',
  'data_export',
  'account_delete',
] as const;
/** Actions on a finding of the inbox, recorded for the row that was found. */
const inboxActions = ['inbox_acknowledge', 'inbox_assign', 'inbox_snooze', 'inbox_done', 'inbox_return'] as const;
export const auditActions = [...rowActions, ...accountActions, ...inboxActions] as const;
export type AuditAction = (typeof auditActions)[number];

const readOnlyField = { write: false } as const;

/**
 * Audit entries: who changed what, and when, with values before and after. The server writes them in the transaction of
 * the change (`server/crud/write/writeAuditEntries.ts`). They record people and rows by id and by their name at that
 * time, so that entries outlive both. `as_user_*`: the impersonated user. `token_name`: the API token that was used.
 * `resources`: names of the audited entities.
 */
export const auditOf = (resources: readonly string[]) =>
  entity('audit', {
    title: 'record_title',
    fields: {
      at: instant({ required: true, write: false, store: 'derived' }),
      user_id: integer(readOnlyField),
      user_name: text(readOnlyField),
      as_user_id: integer(readOnlyField),
      as_user_name: text(readOnlyField),
      token_name: text({ ...readOnlyField, max: 60 }),
      action: choice(auditActions, { required: true, write: false }),
      entity: { ...text({ required: true, write: false }), choices: resources },
      record_id: integer({ required: true, write: false }),
      record_title: text(readOnlyField),
      field: tags({ write: false, store: 'derived' }),
      changes: records(
        { field: text(), before: longtext({ json: true }), after: longtext({ json: true }) },
        { write: false },
      ),
    },
    list: {
      columns: ['at', 'user_name', 'action', 'entity', 'record_title', 'changes'],
      hidden: ['as_user_name', 'token_name', 'user_id', 'record_id'],
      sort: '-at',
      search: ['record_title', 'user_name'],
      filters: ['at', 'user_name', 'action', 'entity', 'record_title', 'field'],
    },
    form: {},
    grants: {
      admin: ['list', 'show', 'export'],
      country_manager: ['list', 'show', 'export'],
      partner: ['list', 'show', 'export'],
      customer_admin: ['list', 'show', 'export'],
      site_manager: 'read',
      operator: 'none',
    },
    scope: 'record',
  });
