/**
 * Columns of the table: counts and types are beside a line's name, days of a group beside its result, and what only a
 * single run has is hidden where lines are sums.
 */
import type { ReportContent } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';

const hiddenColumns: Record<ReportName, readonly string[]> = {
  cleaning: ['planned_days', 'cleaned_days'],
  runs: ['runs'],
  costs: ['type', 'count'],
  service: ['type', 'count', 'days_left', 'plan'],
};

/** Reported area: shown if any was reported. */
const hasReported = ({ lines }: ReportContent): boolean => Number(lines.at(-1)?.reported_area_m2) > 0;

/** Columns that are empty for sums of runs. */
const runColumns = ['machine', 'floor', 'outcome', 'source'];

export const visibleColumns = (result: ReportContent): string[] =>
  result.columns.filter(
    (name) =>
      !hiddenColumns[result.report].includes(name) &&
      (name !== 'reported_area_m2' || hasReported(result)) &&
      (result.report !== 'runs' || result.by === 'run' || !runColumns.includes(name)),
  );
