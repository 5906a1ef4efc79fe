/** Validates rows of a client that may refer to one of its fleets or locations: these must belong to the client. */
import { sql } from 'drizzle-orm';
import type { WriteContext } from '../../context/services';
import { pg } from '../../db/core/rowShape';

/** The value that the row will hold after the write. */
export const valueAfterWrite = (
  { values, current }: Pick<WriteContext, 'values' | 'current'>,
  name: string,
): unknown => (values[name] === undefined ? current?.[name] : values[name]);

/** Reports with `fail` a fleet of another client, and a location of another client or fleet. */
export async function validatePlaceOfClient(context: WriteContext): Promise<void> {
  const { tx, fail, values } = context;
  if (values.client_id === undefined && values.fleet_id === undefined && values.location_id === undefined) return;
  const [client, fleet, location] = ['client_id', 'fleet_id', 'location_id'].map(
    (name) => (valueAfterWrite(context, name) ?? null) as number | null,
  );
  if (client === null) return;
  const validity = await tx.selectOne(
    { fleet: pg.boolean, location: pg.boolean },
    sql`
    select ${fleet}::int is null or exists (select from fleets where id = ${fleet}::int and client_id = ${client}::int)
    as fleet,
      ${location}::int is null or exists (select from locations l join fleets f on f.id = l.fleet_id
        where l.id = ${location}::int and f.client_id = ${client}::int and (${fleet}::int is null
        or f.id = ${fleet}::int)) as location`,
  );
  if (!validity?.fleet) fail('fleet_id', { text: 'of_other_client' });
  else if (!validity.location)
    fail('location_id', fleet === null ? { text: 'of_other_client' } : { text: 'location_of_other_fleet' });
}
