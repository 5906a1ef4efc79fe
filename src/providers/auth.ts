/** The logged-in user from the user token, and react-admin's auth provider. Grants nothing: the server decides. */
import { jwtDecode } from 'jwt-decode';
import { type AuthProvider, HttpError } from 'react-admin';
import { call } from './call';
import { session } from './session';
import { isWall } from './wallAddress';

/** Content of the user token (contract, section "Session"). */
export interface CurrentUser {
  id: number;
  first_name: string;
  last_name: string;
  image: string | null;
  email: string;
  phone: string | null;
  language: { id: number; name: string };
  countries: { id: number; name: string }[];
  /** Names, such as `Customer Admin`. */
  roles: string[];
  /** Code names, such as `machines.edit`. */
  permissions: string[];
  allow_sms: boolean;
  allow_email: boolean;
  /** Name of the administrator who impersonates the user. */
  impersonated_by?: string;
  /** Name of the wall if this page is one. */
  wall?: string;
}

export interface SessionTokens {
  token: string;
  user_token: string;
}

/** Thrown when the password is correct but a second factor is required. */
export class SecondFactorRequired extends Error {
  constructor(readonly ticket: string) {
    super('login.second_text');
    this.name = 'SecondFactorRequired';
  }
}

type Login = { email: string; password: string } | { ticket: string; code: string } | { sso: string };

let cachedUser: { from: string; user: CurrentUser | undefined } = { from: '', user: undefined };

/** The user of the session; `undefined` when logged out or if the user token is unreadable. */
export function currentUser(): CurrentUser | undefined {
  const { ut } = session.get();
  if (cachedUser.from !== ut) cachedUser = { from: ut, user: decode(ut) };
  return cachedUser.user;
}

/**
 * Ends a session whose user token is unreadable, since pages would have neither menu nor rights. Spares walls, which
 * load their user token later.
 */
export function endUnreadableSession(): void {
  if (session.get().t !== '' && !currentUser() && !isWall) session.end();
}

/**
 * Whether the user has the permission `<resource>.<action>`. Users who may import any resource may also show imports,
 * which the server limits to their own.
 */
export function can(resource: string, action: string): boolean {
  const permissions = currentUser()?.permissions ?? [];
  const isOwnImport =
    resource === 'imports' && action === 'show' && permissions.some((code) => code.endsWith('.import'));
  return isOwnImport || permissions.includes(`${resource}.${action}`);
}

/** Starts the session of a login or an accepted invitation. */
export const startSession = ({ token, user_token }: SessionTokens): void => session.set({ t: token, ut: user_token });

/** Reloads the user after a change of the profile, or after the server refused something that the page offered. */
export async function refreshUser(): Promise<void> {
  const user = currentUser();
  if (!user) return;
  const { t, ut } = session.get();
  const load =
    user.wall === undefined
      ? call('GET /users/refreshInformationAboutUser/{id}', { params: { id: user.id } })
      : call('GET /wall').then(({ data }) => data);
  const response = await load.catch((error: HttpError) => {
    // The session has ended; that alone redirects to the login.
    if (error.status !== 401) throw error;
  });
  const current = session.get();
  // The response is outdated if the session has ended or changed meanwhile.
  if (response && current.t === t && current.ut === ut) session.set({ ut: response.user_token });
}

export const authProvider: AuthProvider = {
  /** @throws SecondFactorRequired with the ticket for the second step */
  async login(credentials: Login) {
    const response =
      'sso' in credentials
        ? await call('POST /login/oidc', { body: { ticket: credentials.sso } })
        : 'ticket' in credentials
          ? await call('POST /login/second-factor', { body: credentials })
          : await call('POST /login', { body: credentials });
    if ('two_factor' in response) throw new SecondFactorRequired(response.ticket);
    startSession(response);
  },
  async logout() {
    const { t } = session.get();
    // An expired token or an unreachable server must not prevent a logout on this screen.
    if (t)
      await call('POST /users/logout').catch((error: unknown) =>
        console.error('Logout was not confirmed by the server.', error),
      );
    session.end();
    // Ending the session redirects to /login.
    return false;
  },
  async checkAuth() {
    if (!session.get().t) throw new HttpError('ra.auth.auth_check_error', 401);
  },
  async checkError(error: { status?: number } | undefined) {
    if (error?.status === 401) {
      // Ignores the failure of a call that belonged to a previous session.
      if (session.get().t) return;
      throw new HttpError('Unauthenticated.', 401);
    }
    if (error?.status === 403) await refreshUser().catch(console.error);
  },
  async getIdentity() {
    const user = currentUser();
    if (!user) throw new HttpError('ra.auth.auth_check_error', 401);
    return { ...user, fullName: `${user.first_name} ${user.last_name}`, avatar: user.image ?? undefined };
  },
  getPermissions: async () => currentUser()?.permissions ?? [],
  canAccess: async ({ resource, action }) => can(resource, action),
};

function decode(token: string): CurrentUser | undefined {
  if (token === '') return undefined;
  try {
    const user: unknown = jwtDecode(token);
    if (isUser(user)) return user;
    throw new TypeError('The user token contains no user.');
  } catch (error) {
    console.error('The user token could not be read.', error);
    return undefined;
  }
}

/** Checks the properties that every page relies on. */
const isUser = (value: unknown): value is CurrentUser => {
  const { id, roles, permissions } = (value ?? {}) as Partial<Record<keyof CurrentUser, unknown>>;
  return typeof id === 'number' && Array.isArray(roles) && Array.isArray(permissions);
};
