/** Constants of API tokens, shared by server and pages. */

/** Maximum lifetime of an API token, in days. */
export const maxTokenDays = 366;

/** Permissions of a read-only token. */
export const readOnlyPermissions = ['*.list', '*.show', '*.export'] as const;
