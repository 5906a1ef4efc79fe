/** Loads a row with everything that its page shows, in one request. */
import { type RaRecord, useGetOne } from 'ra-core';
import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { includesOf } from '../shared/entities';

export interface RowQuery {
  record: RaRecord | undefined;
  error: (Error & { status?: number }) | null;
  refetch: () => Promise<unknown>;
  /** For calls whose response replaces the row in the cache. */
  meta: { include: readonly string[] };
}

/** The row whose id is in the URL. */
export function useRow(entity: Entity): RowQuery {
  const { id } = useParams<'id'>();
  const meta = useMemo(() => ({ include: includesOf(entity, Object.keys(entity.fields)) }), [entity]);
  const { data, error, refetch } = useGetOne<RaRecord, Error>(entity.name, { id, meta }, { meta: { quiet: true } });
  return { record: data, error, refetch, meta };
}
