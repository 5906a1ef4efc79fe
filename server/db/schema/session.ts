/**
 * Tables of credentials and sessions. Tokens and codes are stored as SHA-256 only, useless to a reader of the database.
 */
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';
import { rowId } from './entities';

const ofUser = () => integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' });

/** Sessions; deleted when they end. */
export const sessions = pgTable(
  'sessions',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    token_hash: bytesColumn('token_hash').notNull(),
    user_id: ofUser().notNull(),
    /** The administrator who impersonates this user; null for the user's own session. */
    impersonated_by: integer('impersonated_by').references(() => rowId('users'), { onDelete: 'cascade' }),
    created_at: instantColumn('created_at').notNull().defaultNow(),
    expires_at: instantColumn('expires_at').notNull(),
    /** User agent and network address at the start of the session. */
    agent: text('agent'),
    address: text('address'),
  },
  (table) => [
    uniqueIndex('sessions_token_hash_key').on(table.token_hash),
    index('sessions_user_id_idx').on(table.user_id),
    index('sessions_expires_at_idx').on(table.expires_at),
    index('sessions_impersonated_by_idx').on(table.impersonated_by),
  ],
);

/** Last use of a session. A separate table, because a change of `sessions` makes every process reload the caller. */
export const sessionUses = pgTable('session_uses', {
  session_id: integer('session_id')
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  last_used_at: instantColumn('last_used_at').notNull(),
  address: text('address').notNull(),
});

/** API tokens and wall tokens of users. Deleted when revoked; other changes of a row affect no permissions. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    user_id: ofUser().notNull(),
    name: text('name').notNull(),
    token_hash: bytesColumn('token_hash').notNull(),
    /**
     * Permissions of the token, limited to those of its owner: code names, or `*.list` for every resource; null: all of
     * the owner's.
     */
    permissions: text('permissions').array(),
    /** Whether it is a wall token: reads what a wall shows, with permissions of its own, and is renewed by its use. */
    is_wall: boolean('is_wall').notNull().default(false),
    created_at: instantColumn('created_at').notNull().defaultNow(),
    expires_at: instantColumn('expires_at').notNull(),
    last_used_at: instantColumn('last_used_at'),
    address: text('address'),
  },
  (table) => [
    uniqueIndex('api_tokens_token_hash_key').on(table.token_hash),
    index('api_tokens_user_id_idx').on(table.user_id),
  ],
);

/**
 * TOTP secrets shared with authenticator apps, encrypted with the server's key. Required at log-in only once confirmed
 * by a first code (`confirmed_at`).
 */
export const secondFactors = pgTable('second_factors', {
  user_id: ofUser().primaryKey(),
  secret: bytesColumn('secret').notNull(),
  /** Latest 30-second step whose code was accepted, so that no code is accepted twice. */
  last_step: integer('last_step').notNull().default(0),
  created_at: instantColumn('created_at').notNull().defaultNow(),
  confirmed_at: instantColumn('confirmed_at'),
});

/** Single-use codes for a lost second factor; deleted when used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { user_id: ofUser().notNull(), code_hash: bytesColumn('code_hash').notNull() },
  (table) => [primaryKey({ name: 'recovery_codes_pkey', columns: [table.user_id, table.code_hash] })],
);

/** Login tickets: between the first and the second step of a log-in. */
export const loginTickets = pgTable(
  'login_tickets',
  {
    token_hash: bytesColumn('token_hash').primaryKey(),
    user_id: ofUser().notNull(),
    /**
     * After OpenID Connect: the browser that the ticket is bound to. Null: the password was right and a code is
     * required.
     */
    browser_hash: bytesColumn('browser_hash'),
    expires_at: instantColumn('expires_at').notNull(),
  },
  (table) => [
    index('login_tickets_user_id_idx').on(table.user_id),
    index('login_tickets_expires_at_idx').on(table.expires_at),
  ],
);

/** OpenID Connect sign-ins in progress. */
export const oidcFlows = pgTable(
  'oidc_flows',
  {
    state_hash: bytesColumn('state_hash').primaryKey(),
    browser_hash: bytesColumn('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    expires_at: instantColumn('expires_at').notNull(),
  },
  (table) => [index('oidc_flows_expires_at_idx').on(table.expires_at)],
);

/**
 * Argon2id hashes, separate from the row that people edit and lists read. A user without one cannot log in by password.
 */
export const userSecrets = pgTable('user_secrets', {
  user_id: ofUser().primaryKey(),
  password_hash: text('password_hash').notNull(),
  changed_at: instantColumn('changed_at').notNull().defaultNow(),
});

/**
 * All addresses of a user, in the order given; the primary one is `users.email`. An address is verified once its
 * confirmation link was opened.
 */
export const userEmails = pgTable(
  'user_emails',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    user_id: ofUser().notNull(),
    email: text('email').notNull(),
    verified: boolean('verified').notNull().default(false),
    position: integer('position').notNull().default(0),
    /** Hash of the link in the latest confirmation mail. */
    token_hash: bytesColumn('token_hash'),
    token_expires_at: instantColumn('token_expires_at'),
  },
  (table) => [
    index('user_emails_user_id_idx').on(table.user_id),
    uniqueIndex('user_emails_token_hash_key').on(table.token_hash),
  ],
);

/** Password resets: one open request per user; a new one replaces it. */
export const passwordResets = pgTable(
  'password_resets',
  {
    user_id: ofUser().primaryKey(),
    token_hash: bytesColumn('token_hash').notNull(),
    expires_at: instantColumn('expires_at').notNull(),
    /** Hash of the code to type; null if there is only a link. */
    code_hash: bytesColumn('code_hash'),
    code_expires_at: instantColumn('code_expires_at'),
    tries: integer('tries').notNull().default(0),
    /** Network address of the request: the code alone works only from there. */
    address: text('address'),
    created_at: instantColumn('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('password_resets_token_hash_key').on(table.token_hash),
    index('password_resets_code_hash_idx').on(table.code_hash),
  ],
);

/** Attempts by the hash of their key (`attemptLimit.ts`), shared by all processes. They count until `until`. */
export const loginFailures = pgTable(
  'login_failures',
  { key: text('key').primaryKey(), failures: integer('failures').notNull(), until: instantColumn('until').notNull() },
  (table) => [index('login_failures_until_idx').on(table.until)],
);

/** Link of an invitation's latest mail; its expiry is on the invitation. */
export const invitationTokens = pgTable(
  'invitation_tokens',
  {
    invitation_id: integer('invitation_id')
      .primaryKey()
      .references(() => rowId('invitations'), { onDelete: 'cascade' }),
    token_hash: bytesColumn('token_hash').notNull(),
    created_at: instantColumn('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('invitation_tokens_token_hash_key').on(table.token_hash)],
);
