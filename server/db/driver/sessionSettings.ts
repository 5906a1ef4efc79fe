/**
 * Settings of every session, on PostgreSQL and in the embedded database. Data is on SSD or in memory, where random
 * access costs no more than sequential; statements are short, so JIT would cost more than it saves. With 8 MB, reports
 * hash 100,000 machines instead of sorting them on disk.
 */
export const sessionSettings = { TimeZone: 'UTC', random_page_cost: 1.1, jit: 'off', work_mem: '8MB' };
