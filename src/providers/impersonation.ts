/** Impersonation. The administrator's own session is stashed in this tab until the impersonation ends. */
import { startSession } from './auth';
import { call } from './call';
import { endSession, stashSession } from './stashedSession';

/** Starts impersonating a user. */
export async function startImpersonation(userId: number | string): Promise<void> {
  const response = await call('POST /users/{id}/impersonate', { params: { id: Number(userId) } });
  stashSession(response.token);
  startSession(response);
}

/** Ends the impersonation: restores the own session, or opens the login page if it began in another tab. */
export async function endImpersonation(): Promise<void> {
  // Works for an expired impersonation, too: its 401 has already restored the session.
  const hasExpired = await call('POST /users/logout').then(
    () => false,
    (error: unknown) => {
      console.warn('The server did not confirm the end of the impersonation.', error);
      return error instanceof Error && 'status' in error && error.status === 401;
    },
  );
  if (!hasExpired) endSession();
}
