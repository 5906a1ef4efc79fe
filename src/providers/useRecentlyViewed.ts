/** Recently viewed records, stored per user and browser tab: on a shared computer they must not outlive the tab. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EntityName } from '../../schema';
import { can, currentUser } from './auth';
import { fetchRows } from './rows';
import { tabStorage } from './tabStorage';

export interface ViewedRecord {
  entity: string;
  id: number;
  title: string;
}

const maxEntries = 8;
const storageKeyOfUser = () => `sweepline.viewed.${currentUser()?.id ?? 0}`;

/** Recently viewed records, newest first, without those that were deleted or left the user's scope. */
export function useRecentlyViewed(): ViewedRecord[] {
  const [viewed] = useState(() => recentlyViewed().filter(({ entity }) => can(entity, 'show')));
  const { data = viewed } = useQuery({
    queryKey: ['viewed', viewed],
    queryFn: async ({ signal }) => {
      const names = [...new Set(viewed.map(({ entity }) => entity))].filter((entity) => can(entity, 'list'));
      const reachableIds = new Map(
        await Promise.all(names.map(async (name) => [name, await fetchReachableIds(name, viewed, signal)] as const)),
      );
      const remainingRecords = viewed.filter(({ entity, id }) => reachableIds.get(entity)?.has(id) ?? true);
      // Another record may have been viewed since.
      const isRemaining = ({ entity, id }: ViewedRecord) => reachableIds.get(entity)?.has(id) !== false;
      if (remainingRecords.length < viewed.length)
        storeViewed(recentlyViewed().filter((record) => isRemaining(record) || !includesRecord(viewed, record)));
      return remainingRecords;
    },
    enabled: viewed.length > 0,
    gcTime: 0,
    meta: { quiet: true },
  });
  return data;
}

/** Ids of the viewed records that the entity's list still contains; `undefined` if the request failed. */
const fetchReachableIds = (
  entity: string,
  viewed: readonly ViewedRecord[],
  signal: AbortSignal,
): Promise<Set<number> | undefined> => {
  const ids = viewed.filter((record) => record.entity === entity).map(({ id }) => String(id));
  return fetchRows(entity as EntityName, { fields: ['id'], filter: [{ path: 'id', values: ids }], signal }).then(
    ({ data }) => new Set(data.map(({ id }) => id)),
    () => undefined,
  );
};

function recentlyViewed(): ViewedRecord[] {
  const storedRecords = tabStorage.readJson(storageKeyOfUser());
  return Array.isArray(storedRecords) ? storedRecords.filter(isViewedRecord) : [];
}

/** Moves a record to the top of the recently viewed ones, with its current title. */
export function useRecordView({
  entity,
  id,
  title,
}: {
  entity: string;
  id: number | string | undefined;
  title: string;
}): void {
  useEffect(() => {
    if (id === undefined || title === '') return;
    const others = recentlyViewed().filter((viewed) => viewed.entity !== entity || viewed.id !== Number(id));
    storeViewed([{ entity, id: Number(id), title }, ...others].slice(0, maxEntries));
  }, [entity, id, title]);
}

const includesRecord = (records: readonly ViewedRecord[], { entity, id }: ViewedRecord) =>
  records.some((record) => record.entity === entity && record.id === id);

const storeViewed = (viewed: ViewedRecord[]) => tabStorage.write(storageKeyOfUser(), JSON.stringify(viewed));

const isViewedRecord = (value: unknown): value is ViewedRecord =>
  typeof value === 'object' &&
  value !== null &&
  'entity' in value &&
  'id' in value &&
  typeof (value as ViewedRecord).title === 'string';
