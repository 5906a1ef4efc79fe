/** The own session during impersonation, stashed in this tab until the view ends by button or by itself. */
import { type SessionState, session } from './session';

const key = 'sweepline.own';

type StashedSession = Pick<SessionState, 't' | 'ut'> & {
  /** The token of the view: another session in its place restores nothing. */
  view: string;
};

/** Stashes the current session while `view` replaces it. */
export function stashSession(view: string): void {
  const { t, ut } = session.get();
  try {
    sessionStorage.setItem(key, JSON.stringify({ t, ut, view } satisfies StashedSession));
  } catch {
    // Without storage the end of the view leads to the login page.
  }
}

/** Ends the session on this screen: restores the stashed one if that began the view in this tab, else logs out. */
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
    // Nothing was stashed.
  }
}
