/** Sends the reports that people have scheduled. Every process may: rows are taken by one each. */

import type { Services } from '../context/services';
import { queueTurns } from '../features/reports/queue';
import { sendReports } from '../features/reports/send';

type ReportServices = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'model' | 'now'>;

/** One round: what has become due is written down, then sent. */
export async function reportRound(services: ReportServices): Promise<void> {
  await queueTurns(services);
  await sendReports(services);
}
