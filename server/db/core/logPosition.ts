/** Positions in the write-ahead log, which keep reads on replicas current (docs/adr/0018-reads-on-replicas.md). */

/** A position in the primary's log. A replica that has replayed it knows everything committed up to then. */
export interface LogPosition {
  /** Incremented by each promotion: a server on an older timeline may contain rows that the primary never had. */
  timeline: number;
  /** As PostgreSQL prints it. */
  lsn: string;
}

/**
 * SQL: the position of the primary's log as text; null on a replica. It covers every row that the statement sees: a
 * commit becomes visible only after its record was flushed, or at least inserted where `synchronous_commit` is off.
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
export function parseLsn(lsn: string): number {
  const [high = '', low = ''] = lsn.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}
