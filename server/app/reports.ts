/** Sends the reports that people have scheduled. Every process may: rows are taken by one each. */

import type { Services } from '../context/services';
import { queueTurns } from '../features/reports/queue';
import { sendReports } from '../features/reports/send';
import { startPeriodicTask } from '../jobs/periodicTask';

const every = 20_000;

type ReportServices = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'now'>;

/** One round: what has become due is written down, then sent. */
export async function reportRound(services: ReportServices): Promise<void> {
  await queueTurns(services);
  await sendReports(services);
}

/** Gives back how to stop, which waits for what runs. */
export const startReportScheduler = (services: ReportServices): (() => Promise<void>) =>
  startPeriodicTask(
    () =>
      reportRound(services).catch((err: unknown) => services.log.warn({ err }, 'scheduled reports could not be sent')),
    () => every,
  );
