/** Names of all reports; `schema/features/reports.ts` declares each. */
export const reportNames = ['cleaning', 'runs', 'costs', 'service'] as const;
export type ReportName = (typeof reportNames)[number];
