/** Audit entries of a row, with their changed fields. */
import type { RaRecord } from 'ra-core';
import type { AuditAction } from '../../../schema/entities/audit';
import type { Translate } from '../shared/filters';

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** An audit entry of the API. */
export interface ChangeRow extends RaRecord {
  at: string;
  user_name: string | null;
  as_user_name: string | null;
  token_name: string | null;
  action: AuditAction;
  entity: string;
  record_id: number;
  record_title: string | null;
  changes: FieldChange[];
}

/** Query key of the audit entries of a row. */
export const auditKey = ['audit', 'about'] as const;

/**
 * "Ada Example", "Ada Example as Max Muster", "Ada Example by the token “Nightly report”"; the server, if no person
 * acted.
 */
export function actorName(
  { user_name, as_user_name, token_name }: Pick<ChangeRow, 'user_name' | 'as_user_name' | 'token_name'>,
  translate: Translate,
): string {
  const name = user_name || translate('history.server');
  const actor = as_user_name ? translate('history.as', { name, as: as_user_name }) : name;
  return token_name ? translate('history.by_token', { name: actor, token: token_name }) : actor;
}
