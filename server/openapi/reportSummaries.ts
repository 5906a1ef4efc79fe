/** Summaries of the calls of each report, in the words of its page. */
import { reports } from '../../schema/features/reports';
import { reportNames } from '../../schema/shared/reportNames';
import { texts } from '../i18n/messages';

const { about } = texts.en.reports;
const names = texts.en.resources.report_schedules.choices.report;

/** Summaries by `METHOD /path`. */
export const reportSummaries: Readonly<Record<string, string>> = Object.fromEntries(
  reportNames.flatMap((report) => [
    [
      `GET /reports/${report}`,
      `${about[report]} \`by\` sets the lowest level of the lines: ${reports[report].levels.join(', ')}`,
    ],
    [`GET /reports/${report}/export`, `${names[report]} as a file`],
  ]),
);
