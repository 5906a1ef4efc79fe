/**
 * The administrator's own session during impersonation, stashed in this tab until the impersonation ends or expires.
 */
import { type SessionState, session } from './session';
import { tabStorage } from './tabStorage';

const key = 'sweepline.own';

type StashedSession = Pick<SessionState, 't' | 'ut'> & {
  /** Token of the impersonation. Ending a session with another token restores nothing. */
  view: string;
};

/**
 * Stashes the current session while `view` replaces it. Without tab storage, ending the impersonation leads to the
 * login page.
 */
export function stashSession(view: string): void {
  const { t, ut } = session.get();
  tabStorage.write(key, JSON.stringify({ t, ut, view } satisfies StashedSession));
}

/** Ends the current session: restores the stashed one if this tab began the impersonation, else logs out. */
export function endSession(): void {
  const { t } = session.get();
  const stashed = readStash();
  tabStorage.write(key, undefined);
  if (stashed?.view === t) session.set({ t: stashed.t, ut: stashed.ut });
  else session.end();
}

function readStash(): StashedSession | undefined {
  const { t, ut, view } = (tabStorage.readJson(key) ?? {}) as Partial<StashedSession>;
  return typeof t === 'string' && typeof ut === 'string' && typeof view === 'string' ? { t, ut, view } : undefined;
}
