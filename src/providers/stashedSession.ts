/**
 * The own session of somebody who looks at the product as another user: it waits in this tab until the view ends, by
 * button or by itself.
 */
import { type SessionState, session } from './store';

const key = 'sweepline.own';

type StashedSession = Pick<SessionState, 't' | 'ut'> & {
  /** The token of the view: with another session in place nothing is brought back. */
  view: string;
};

/** Keeps the session that is open now while `view` takes its place. */
export function stashSession(view: string): void {
  const { t, ut } = session.get();
  try {
    sessionStorage.setItem(key, JSON.stringify({ t, ut, view } satisfies StashedSession));
  } catch {
    // Storage is switched off: the end of the view leads to the login page.
  }
}

/** Ends the session on this screen: back to the own one if that was a view begun in this tab, else logged out. */
export function endSession(): void {
  const { t } = session.get();
  const own = waiting();
  forget();
  if (own?.view === t) session.set({ t: own.t, ut: own.ut });
  else session.end();
}

function waiting(): StashedSession | undefined {
  try {
    const { t, ut, view } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<StashedSession>;
    return typeof t === 'string' && typeof ut === 'string' && typeof view === 'string' ? { t, ut, view } : undefined;
  } catch {
    return undefined;
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
