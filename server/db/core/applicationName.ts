/**
 * Name of every connection on the server. The number is the version of the agreement between processes on one database:
 * since 2, readers of events wait for writers in progress (`server/realtime/eventWriters.ts`).
 */
export const applicationName = 'sweepline 2';
/** Name of the connections of earlier versions. */
export const olderApplicationName = 'sweepline';
