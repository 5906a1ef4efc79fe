/** Looking at the product as another user: the own session waits in this tab until the view ends. */
import { begin, type LoggedIn } from './auth';
import { api } from './http';
import { type Session, session } from './store';

const key = 'sweepline.own';

/** Begins the view; what the page shows afterwards is what that user sees. */
export async function viewAs(userId: number | string): Promise<void> {
  const { t, ut } = session.get();
  const begun = await api<LoggedIn>(`users/${userId}/impersonate`, { method: 'POST' });
  keep({ t, ut });
  begin(begun);
}

/** Ends the view and goes back to the own session; to the login page where this tab did not begin it. */
export async function endView(): Promise<void> {
  // A view that has run out must not keep anybody in it.
  await api('users/logout', { method: 'POST' }).catch((error: unknown) => console.warn('The end of the view was not confirmed by the server.', error));
  const own = kept();
  forget();
  if (own) session.set(own);
  else session.end();
}

function kept(): Pick<Session, 't' | 'ut'> | undefined {
  try {
    const { t, ut } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Session>;
    return typeof t === 'string' && typeof ut === 'string' ? { t, ut } : undefined;
  } catch {
    return undefined;
  }
}

function keep(own: Pick<Session, 't' | 'ut'>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(own));
  } catch {
    // Storage is switched off: the end of the view leads to the login page.
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
