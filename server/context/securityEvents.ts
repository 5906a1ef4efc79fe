/** Names of events in the security log. Never rename one: monitoring programs raise alarms on them. */
export const securityEvents = [
  'login',
  'login_locked',
  'logout',
  'password_reset_requested',
  'password_changed',
  'second_factor_changed',
  'token_created',
  'token_revoked',
  'sessions_ended',
  'impersonation_started',
  'secret_created',
  'user_created',
  'user_deleted',
  'user_rights_changed',
  'role_changed',
  'access_denied_burst',
] as const;

export type SecurityEvent = (typeof securityEvents)[number];
