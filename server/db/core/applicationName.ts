/**
 * Name of every connection on the server. Its number says how processes on one database work together: since 2 readers
 * of events wait for writers in progress (`server/realtime/eventWriters.ts`).
 */
export const applicationName = 'sweepline 2';
/** Name of the connections of versions before. */
export const olderApplicationName = 'sweepline';
