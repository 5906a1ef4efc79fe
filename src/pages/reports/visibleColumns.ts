/**
 * Columns of the table. Hides columns whose values are shown elsewhere (counts and types beside the name of a line,
 * days of a group beside its result), the reported area if there is none, and columns of single runs if lines are sums.
 */
import type { ReportContent } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';

const hiddenColumns: Record<ReportName, readonly string[]> = {
  cleaning: ['planned_days', 'cleaned_days'],
  runs: ['runs'],
  costs: ['type', 'count'],
  service: ['type', 'count', 'days_left', 'plan'],
};

/** Whether any area was reported; only then its column is shown. */
const hasReported = ({ lines }: ReportContent): boolean => Number(lines.at(-1)?.reported_area_m2) > 0;

/** Columns that are empty in lines that sum up runs. */
const runColumns = ['machine', 'floor', 'outcome', 'source'];

export const visibleColumns = (result: ReportContent): string[] =>
  result.columns.filter(
    (name) =>
      !hiddenColumns[result.report].includes(name) &&
      (name !== 'reported_area_m2' || hasReported(result)) &&
      (result.report !== 'runs' || result.by === 'run' || !runColumns.includes(name)),
  );
