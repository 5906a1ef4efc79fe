/** Names of all reports, which `schema/features/reports.ts` declares. */
export const reportNames = ['cleaning', 'runs', 'costs', 'service'] as const;
export type ReportName = (typeof reportNames)[number];
