/** Impersonation: the own session is stashed in this tab until the view ends. */
import { startSession } from './auth';
import { call } from './call';
import { endSession, stashSession } from './stashedSession';

/** Starts the view as another user. */
export async function viewAs(userId: number | string): Promise<void> {
  const response = await call('POST /users/{id}/impersonate', { params: { id: Number(userId) } });
  stashSession(response.token);
  startSession(response);
}

/** Ends the view and restores the own session, or opens the login page if the view began in another tab. */
export async function endView(): Promise<void> {
  // An expired view must not trap anybody: its 401 has restored the session already.
  const hasExpired = await call('POST /users/logout').then(
    () => false,
    (error: unknown) => {
      console.warn('The end of the view was not confirmed by the server.', error);
      return error instanceof Error && 'status' in error && error.status === 401;
    },
  );
  if (!hasExpired) endSession();
}
