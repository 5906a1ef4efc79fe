/** The reports that exist; `schema/features/reports.ts` declares what each shows. */
export const reportNames = ['cleaning', 'costs', 'service'] as const;
export type ReportName = (typeof reportNames)[number];
