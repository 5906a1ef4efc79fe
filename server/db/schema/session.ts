/**
 * Who may sign in and who is signed in. Tokens and codes are kept as SHA-256 only: whoever reads the database cannot
 * use them.
 */
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, moment } from '../core/columns';
import { rowId } from './entities';

const ofUser = () => integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' });

/** Ended by being deleted. */
export const sessions = pgTable(
  'sessions',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    token_hash: bytes('token_hash').notNull(),
    user_id: ofUser().notNull(),
    /** The administrator who looks at the product as this user; null: the user's own session. */
    impersonated_by: integer('impersonated_by').references(() => rowId('users'), { onDelete: 'cascade' }),
    created_at: moment('created_at').notNull().defaultNow(),
    expires_at: moment('expires_at').notNull(),
    /** How the browser called itself, and the network address it came from, when the session began. */
    agent: text('agent'),
    address: text('address'),
  },
  (at) => [
    uniqueIndex('sessions_token_hash_key').on(at.token_hash),
    index('sessions_user_id_idx').on(at.user_id),
    index('sessions_expires_at_idx').on(at.expires_at),
    index('sessions_impersonated_by_idx').on(at.impersonated_by),
  ],
);

/**
 * When and from where a session was last used: apart from its row, whose changes have every process ask anew who calls.
 */
export const sessionUses = pgTable('session_uses', {
  session_id: integer('session_id')
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  last_used_at: moment('last_used_at').notNull(),
  address: text('address').notNull(),
});

/**
 * Tokens that users make for programs of their own. Revoked by being deleted; what else changes in a row changes
 * nobody's rights.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    user_id: ofUser().notNull(),
    name: text('name').notNull(),
    token_hash: bytes('token_hash').notNull(),
    /**
     * What the token may use, so far as its owner holds it: code names, or `*.list` for every resource; null: whatever
     * the owner may.
     */
    permissions: text('permissions').array(),
    created_at: moment('created_at').notNull().defaultNow(),
    expires_at: moment('expires_at').notNull(),
    last_used_at: moment('last_used_at'),
    address: text('address'),
  },
  (at) => [uniqueIndex('api_tokens_token_hash_key').on(at.token_hash), index('api_tokens_user_id_idx').on(at.user_id)],
);

/**
 * What authenticator apps share with the server, sealed with the server's key. Until its first code was right
 * (`confirmed_at`), logging in takes no code.
 */
export const secondFactors = pgTable('second_factors', {
  user_id: ofUser().primaryKey(),
  secret: bytes('secret').notNull(),
  /** The latest step of thirty seconds whose code was taken: none counts twice. */
  last_step: integer('last_step').notNull().default(0),
  created_at: moment('created_at').notNull().defaultNow(),
  confirmed_at: moment('confirmed_at'),
});

/** For the day the phone is lost: each counts once and is then gone. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { user_id: ofUser().notNull(), code_hash: bytes('code_hash').notNull() },
  (at) => [primaryKey({ name: 'recovery_codes_pkey', columns: [at.user_id, at.code_hash] })],
);

/** Between the first and the second step of logging in. */
export const loginTickets = pgTable(
  'login_tickets',
  {
    token_hash: bytes('token_hash').primaryKey(),
    user_id: ofUser().notNull(),
    /**
     * Where another service vouched for the user: the browser that it was for. Null: the password was right, a code is
     * needed.
     */
    browser_hash: bytes('browser_hash'),
    expires_at: moment('expires_at').notNull(),
  },
  (at) => [index('login_tickets_user_id_idx').on(at.user_id), index('login_tickets_expires_at_idx').on(at.expires_at)],
);

/** Sign-ins with another service that are under way. */
export const oidcFlows = pgTable(
  'oidc_flows',
  {
    state_hash: bytes('state_hash').primaryKey(),
    browser_hash: bytes('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (at) => [index('oidc_flows_expires_at_idx').on(at.expires_at)],
);

/** Argon2id hashes, apart from the row that people edit and lists read. A user without one cannot log in. */
export const userSecrets = pgTable('user_secrets', {
  user_id: ofUser().primaryKey(),
  password_hash: text('password_hash').notNull(),
  changed_at: moment('changed_at').notNull().defaultNow(),
});

/**
 * All addresses of a user, in the order given; the primary one is `users.email`. An address counts as verified once a
 * mail sent there was answered.
 */
export const userEmails = pgTable(
  'user_emails',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    user_id: ofUser().notNull(),
    email: text('email').notNull(),
    verified: boolean('verified').notNull().default(false),
    position: integer('position').notNull().default(0),
    /** Of the link in the latest mail that asks whether the address is right. */
    token_hash: bytes('token_hash'),
    token_expires_at: moment('token_expires_at'),
  },
  (at) => [
    index('user_emails_user_id_idx').on(at.user_id),
    uniqueIndex('user_emails_token_hash_key').on(at.token_hash),
  ],
);

/** One open request per user: a new one takes the place of the last. */
export const passwordResets = pgTable(
  'password_resets',
  {
    user_id: ofUser().primaryKey(),
    token_hash: bytes('token_hash').notNull(),
    expires_at: moment('expires_at').notNull(),
    /** Of the code that people type; null when there is only a link. */
    code_hash: bytes('code_hash'),
    code_expires_at: moment('code_expires_at'),
    tries: integer('tries').notNull().default(0),
    /** The network address that asked: only from there the code alone will do. */
    asked_from: text('asked_from'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (at) => [
    uniqueIndex('password_resets_token_hash_key').on(at.token_hash),
    index('password_resets_code_hash_idx').on(at.code_hash),
  ],
);

/** Attempts per key (address and IP, or IP alone) until `until`, shared by all processes. */
export const loginFailures = pgTable(
  'login_failures',
  { key: text('key').primaryKey(), failures: integer('failures').notNull(), until: moment('until').notNull() },
  (at) => [index('login_failures_until_idx').on(at.until)],
);

/** The link of an invitation's latest mail; when it expires is on the invitation. */
export const invitationTokens = pgTable(
  'invitation_tokens',
  {
    invitation_id: integer('invitation_id')
      .primaryKey()
      .references(() => rowId('invitations'), { onDelete: 'cascade' }),
    token_hash: bytes('token_hash').notNull(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (at) => [uniqueIndex('invitation_tokens_token_hash_key').on(at.token_hash)],
);
