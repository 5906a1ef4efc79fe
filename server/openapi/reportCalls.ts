/** Calls of reports: two for each declared report. */
import { reportFilters, reports } from '../../schema/features/reports';
import { reportNames } from '../../schema/shared/reportNames';
import { texts } from '../i18n/messages';
import type { Call } from './call';

const { about } = texts.en.reports;
const names = texts.en.resources.report_schedules.choices.report;

export const reportCalls: Readonly<Record<string, Call>> = Object.fromEntries(
  reportNames.flatMap((report): [string, Call][] => {
    const { asks, levels } = reports[report];
    const query = [...reportFilters, ...(asks === 'period' ? ['month', 'from', 'to'] : ['date']), 'by'];
    const shared: Call = {
      summary: `${about[report]} Lines down to the level \`by\`: ${levels.join(', ')}`,
      tag: 'reports',
      query,
      refuses: [401, 403, 422],
    };
    return [
      [`GET /reports/${report}`, shared],
      [
        `GET /reports/${report}/export`,
        {
          ...shared,
          summary: `${names[report]} as a file`,
          query: [...query, 'format', 'delimiter'],
          answers: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        },
      ],
    ];
  }),
);
