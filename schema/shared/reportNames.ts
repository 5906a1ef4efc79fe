/** Names of all reports; `schema/features/reports.ts` declares each. */
export const reportNames = ['cleaning', 'costs', 'service'] as const;
export type ReportName = (typeof reportNames)[number];
