/**
 * Tables that are cut into ranges of a time, which drizzle cannot say: what is past its time leaves by dropping a
 * range. The ranges are named after the day on which they begin; `<table>_past` and `<table>_later` lie around them, so
 * that every row finds a place.
 */
export const partitioned = {
  raw_messages: { by: 'received_at', every: 'week', length: '7 days' },
  observations: { by: 'at', every: 'quarter', length: '3 months' },
} as const;

export type Partitioned = keyof typeof partitioned;
export const partitionedTables = Object.keys(partitioned) as Partitioned[];
