/** Recently viewed records, stored for the browser tab: on a shared computer they must not outlive the session. */
import { useEffect } from 'react';
import { currentUser } from '../providers/auth';

export interface Viewed {
  entity: string;
  id: number;
  title: string;
}

const most = 8;
const key = () => `sweepline.viewed.${currentUser()?.id ?? 0}`;

/** Newest first. */
export function recentlyViewed(): Viewed[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key()) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isViewed) : [];
  } catch {
    return [];
  }
}

/** Puts a record on top of the recently viewed ones, with its current title. */
export function useViewed({
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
    keep([{ entity, id: Number(id), title }, ...others].slice(0, most));
  }, [entity, id, title]);
}

function keep(viewed: Viewed[]): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(viewed));
  } catch {
    // Without storage there are no recent records; everything else works.
  }
}

const isViewed = (value: unknown): value is Viewed =>
  typeof value === 'object' &&
  value !== null &&
  'entity' in value &&
  'id' in value &&
  typeof (value as Viewed).title === 'string';
