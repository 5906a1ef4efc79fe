/** Looks up integrations for calls of vendors. */
import { sql } from 'drizzle-orm';
import type { MessageMapping } from '../../../schema/dsl/messageMapping';
import type { IntegrationPreset } from '../../../schema/shared/mappingPresets';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** What reading a vendor's message needs of an integration. `mapping` is null if the preset applies. */
export interface VendorIntegration {
  id: number;
  name: string;
  clientId: number;
  preset: IntegrationPreset;
  mapping: MessageMapping | null;
}

/** Finds an integration that is not deleted. */
export const findIntegration = (db: Queries, id: number): Promise<VendorIntegration | undefined> =>
  db.selectOne(
    {
      id: pg.integer,
      name: pg.text,
      clientId: pg.integer,
      preset: pg.text.as<IntegrationPreset>(),
      mapping: pg.json<MessageMapping>().nullable,
    },
    sql`select id, name, client_id as "clientId", preset, mapping from integrations
      where id = ${id}::int and deleted_at is null`,
  );

/** Returns the owner for which the secret of an integration is sealed (`encryptedSecret.ts`). */
export const integrationOwner = (id: number): string => `integration ${id}`;
