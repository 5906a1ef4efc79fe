/** The own session during impersonation, stashed in this tab until the view ends by button or by itself. */
import { type SessionState, session } from './session';
import { tabStorage } from './tabStorage';

const key = 'sweepline.own';

type StashedSession = Pick<SessionState, 't' | 'ut'> & {
  /** The token of the view: another session in its place restores nothing. */
  view: string;
};

/** Stashes the current session while `view` replaces it. Without storage the view ends at the login page. */
export function stashSession(view: string): void {
  const { t, ut } = session.get();
  tabStorage.write(key, JSON.stringify({ t, ut, view } satisfies StashedSession));
}

/** Ends the session on this screen: restores the stashed one if that began the view in this tab, else logs out. */
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
