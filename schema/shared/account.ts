/** Constants and shapes of the account, shared by server and pages. */

/** Maximum lifetime of an API token, in days. */
export const mostTokenDays = 366;

/** Permissions of a read-only token. */
export const readingOnly = ['*.list', '*.show', '*.export'] as const;

export interface SignedIn {
  id: number;
  browser: string | null;
  system: string | null;
  address: string | null;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  is_current: boolean;
}

export interface OwnAddress {
  id: number;
  email: string;
  verified: boolean;
  primary: boolean;
}

export interface SecondFactor {
  enabled: boolean;
  since: string | null;
  recovery_codes_left: number;
}

export interface ApiToken {
  id: number;
  name: string;
  /** Code names, or `*.list` for every resource; `null`: all permissions of the owner. */
  permissions: string[] | null;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  address: string | null;
}
