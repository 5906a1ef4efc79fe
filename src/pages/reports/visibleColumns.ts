/** Columns of the table: counts and types are beside a line's name, days of a group beside its result. */
import type { ReportAnswer } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';

const hiddenColumns: Record<ReportName, readonly string[]> = {
  cleaning: ['planned_days', 'cleaned_days'],
  costs: ['type', 'count'],
  service: ['type', 'count', 'days_left', 'plan'],
};

export const visibleColumns = ({ report, columns }: ReportAnswer): string[] =>
  columns.filter((name) => !hiddenColumns[report].includes(name));
