/** Caches findings briefly: open pages request the inbox repeatedly. */
import { sql } from 'drizzle-orm';
import type { Caller } from '../../context/caller';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Tables whose writes are visible at once. Telemetry writes constantly, so its writes are visible after `maxAge`. */
const tables = [
  'alerts',
  'alerts_machines',
  'alerts_zones',
  'clients',
  'fleets',
  'imports',
  'inbox_marks',
  'locations',
  'machines',
  'trackers',
  'types',
  'users',
  'zones',
];
/** Milliseconds for which findings are cached. */
export const maxAge = 5000;
const maxEntries = 300;

interface Entry {
  version: number;
  at: number;
  findings: Promise<unknown>;
}

const entriesBySource = new WeakMap<object, Map<string, Entry>>();

export interface CachedFindings {
  /** Returns the result of `read`, cached for all callers with the same scope; with `isOwn`, for this caller only. */
  <T>(name: string, isOwn: boolean, read: () => Promise<T>): Promise<T>;
}

/**
 * Creates access to the cache for one request at the time `now` in milliseconds. The version of the tables is read
 * before the findings that are cached with it, so a write in between only makes an entry useless.
 */
export async function createCachedFindings(db: Database, caller: Caller, now: number): Promise<CachedFindings> {
  const row = await db.selectOne(
    { version: pg.double, has_marks: pg.boolean },
    sql`select (
        select coalesce(sum(n), 0)::float8 from write_counts where relation = any(${tables}::text[])
      ) as version, exists (select from inbox_marks where snoozed_for = ${caller.userId}::int
        or assignee_id = ${caller.userId}::int) as has_marks`,
  );
  const { version = -1, has_marks = true } = row ?? {};
  const entries = entriesBySource.get(db.source) ?? new Map<string, Entry>();
  entriesBySource.set(db.source, entries);
  const sharedKey = accessKey(caller);
  return <T>(name: string, isOwn: boolean, read: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify([name, isOwn || has_marks ? caller.userId : null, sharedKey]);
    const entry = entries.get(key);
    if (entry?.version === version && Math.abs(now - entry.at) < maxAge) return entry.findings as Promise<T>;
    const findings = read();
    entries.delete(key);
    entries.set(key, { version, at: now, findings });
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string);
    // Callers that already wait get a failure, but later ones read again.
    findings.catch(() => entries.get(key)?.findings === findings && entries.delete(key));
    return findings;
  };
}

/** Returns everything that decides which findings a caller sees, except the caller's own rows (`isOwn`). */
const accessKey = ({ permissions, scopes, links }: Caller): readonly unknown[] => [
  [...scopes].sort(),
  links,
  [...permissions].sort(),
];
