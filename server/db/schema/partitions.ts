/**
 * Tables partitioned by ranges of time, which drizzle cannot express: retention drops whole partitions. Partitions are
 * named after their first day; `<table>_past` and `<table>_later` around them accept every other row.
 */
export const partitioned = {
  raw_messages: { by: 'received_at', every: 'week', length: '7 days' },
  observations: { by: 'at', every: 'quarter', length: '3 months' },
} as const;

export type Partitioned = keyof typeof partitioned;
export const partitionedTables = Object.keys(partitioned) as Partitioned[];
