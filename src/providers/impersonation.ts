/** Looking at the product as another user: the own session waits in this tab until the view ends. */
import { begin, type LoggedIn } from './auth';
import { api } from './http';
import { endSession, stashSession } from './stashedSession';

/** Begins the view; what the page shows afterwards is what that user sees. */
export async function viewAs(userId: number | string): Promise<void> {
  const begun = await api<LoggedIn>(`users/${userId}/impersonate`, { method: 'POST' });
  stashSession(begun.token);
  begin(begun);
}

/** Ends the view and goes back to the own session; to the login page where this tab did not begin it. */
export async function endView(): Promise<void> {
  // A view that has run out must not keep anybody in it: the refusal itself has led back already.
  const isOver = await api('users/logout', { method: 'POST' }).then(
    () => false,
    (error: unknown) => {
      console.warn('The end of the view was not confirmed by the server.', error);
      return error instanceof Error && 'status' in error && error.status === 401;
    },
  );
  if (!isOver) endSession();
}
