import { useTranslate } from 'react-admin';
import { longLabel, type Period, type PeriodGroup, shortLabel } from './period';

/** Returns a function that names the bar of a day, week or month: short for the axis, and in full. */
export function useBarName(group: PeriodGroup): (row: Period) => { name: string; full: string } {
  const translate = useTranslate();
  return (row) => {
    const short = shortLabel(group, row.from);
    return { name: group === 'week' ? translate('charts.week', { week: short }) : short, full: longLabel(row) };
  };
}
