/** Places in the write-ahead log, by which reads on replicas are current (docs/adr/0018-reads-on-replicas.md). */

/** A place in the primary's log: what a replica must have replayed to know all that was committed then. */
export interface LogPosition {
  /** Raised by each promotion: a server on an older timeline may hold what the primary never had. */
  timeline: number;
  /** As PostgreSQL prints it. */
  lsn: string;
}

/**
 * SQL: the position of the primary's log as text; null on a replica. No row that a statement sees is behind it: a
 * commit becomes visible after its record was flushed, or only inserted where the installation does without the flush.
 */
export const logPositionSql = `(case when not pg_is_in_recovery() then (
  select substr(pg_walfile_name(lsn), 1, 8) || ':' || lsn from (select case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) log) end)`;

/** Parses the text of `logPositionSql`. */
export function readLogPosition(text: string): LogPosition {
  const [timeline = '', lsn = ''] = text.split(':');
  return { timeline: Number.parseInt(timeline, 16), lsn };
}

/** Bytes since the beginning of the log. */
export function bytesOf(lsn: string): number {
  const [high = '', low = ''] = lsn.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}
