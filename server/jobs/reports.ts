/** Sends the reports that people have scheduled. Every process may: rows are taken by one each. */
import { queueTurns } from '../reports/queue';
import { sendReports } from '../reports/send';
import type { Services } from '../services';

const every = 20_000;

type Parts = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'now'>;

/** One round: what has become due is written down, then sent. */
export async function reportRound(services: Parts): Promise<void> {
  await queueTurns(services);
  await sendReports(services);
}

/** Gives back how to stop, which waits for what runs. */
export function keepReporting(services: Parts): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const turn = async () => {
    await reportRound(services).catch((err: unknown) => services.log.warn({ err }, 'scheduled reports could not be sent'));
    if (!isStopped) timer = setTimeout(begin, every).unref();
  };
  const begin = () => {
    working = turn();
  };
  timer = setTimeout(begin, every).unref();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await working;
  };
}
