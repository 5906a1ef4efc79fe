/** Throws away what has expired: sessions, reset requests, counts of guesses, remembered answers, files that no row names. */
import { type SQL, sql } from 'drizzle-orm';
import type { Services } from '../services';
import { unusedFiles } from './files';

const every = 10 * 60 * 1000;

/** Each may run at any time and on every process at once. */
const expired: readonly SQL[] = [
  sql`delete from sessions where expires_at < now()`,
  sql`delete from password_resets where expires_at < now()`,
  sql`delete from login_failures where until < now()`,
  sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`,
  sql`delete from raw_messages where received_at < now() - interval '30 days'`,
];

/** Sweeps every ten minutes; gives back how to stop. */
export function keepSweeping({ db, entities, log }: Pick<Services, 'db' | 'entities' | 'log'>): () => void {
  const timer = setInterval(() => {
    void sweep({ db, entities }).catch((err) => log.warn({ err }, 'expired rows could not be removed'));
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}

export async function sweep({ db, entities }: Pick<Services, 'db' | 'entities'>): Promise<void> {
  for (const statement of [...expired, ...unusedFiles(entities)]) await db.rows(statement);
}
