/** Audits the corrections of runs by a vendor's message. */
import type { EntityModel } from '../../context/services';
import { type AuditedRow, writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import type { VendorIntegration } from './findIntegration';

/** Writes the audit entries, with the integration as the actor. */
export const auditVendorMessage = (
  tx: Queries,
  { model, integration }: { model: EntityModel; integration: VendorIntegration },
  correctedRows: readonly AuditedRow[],
): Promise<void> =>
  writeAuditEntries(
    tx,
    { entity: model.require('runs'), by: undefined, source: integration.name, action: 'edit' },
    correctedRows,
  );
