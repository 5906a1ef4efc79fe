/**
 * The browser's stored state: one local-storage key with exactly `sb`, `lang`, `t` and `ut` (specification, section 3).
 * A wall stores the same in its tab, so that neither the wall nor a user in another tab ends the other's session.
 */
import { isLanguage, type Language } from '../../schema/shared/languages';
import { createStore, useStoreValue } from './createStore';
import { isWall, takeWallToken, wallLanguage } from './wallAddress';

export interface SessionState {
  /** Whether the sidebar is open. */
  sb: boolean;
  lang: Language;
  /** Bearer token; empty when logged out. */
  t: string;
  /** User token: a JWT that pages may read. */
  ut: string;
}

export const storageKey = 'sweepline';
export const initialSession: SessionState = { sb: true, lang: 'en', t: '', ut: '' };

/** Parses the stored text. Missing or invalid values get defaults, unknown ones are dropped. */
export function readSession(storedText: string | null): SessionState {
  const values = parseValues(storedText);
  return {
    sb: typeof values.sb === 'boolean' ? values.sb : initialSession.sb,
    lang: isLanguage(values.lang) ? values.lang : initialSession.lang,
    t: typeof values.t === 'string' ? values.t : initialSession.t,
    ut: typeof values.ut === 'string' ? values.ut : initialSession.ut,
  };
}

const sessionStore = createStore(initialState());

export const session = {
  get: sessionStore.get,
  /** Sets the given values and keeps the others. */
  set(values: Partial<SessionState>): void {
    const state = { ...sessionStore.get(), ...values };
    store(JSON.stringify(state));
    sessionStore.set(state);
  },
  /** Logs out: removes both tokens, but keeps language and sidebar. */
  end: (): void => session.set({ t: '', ut: '' }),
  subscribe: sessionStore.subscribe,
};

/** The session as a hook; updates on changes here or in another tab. */
export const useSession = (): SessionState => useStoreValue(sessionStore);

/** The stored session; on a wall display, the session of the token in the URL, if there is one. */
function initialState(): SessionState {
  const state = readSession(readStored());
  if (!isWall) return state;
  const token = takeWallToken();
  const wallState = { ...state, lang: wallLanguage() ?? state.lang, ...(token && { t: token, ut: '' }) };
  if (token) store(JSON.stringify(wallState));
  return wallState;
}

// Follows logins, logouts and changes of language in other tabs.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key, newValue, storageArea }) => {
    if ((key !== storageKey && key !== null) || storageArea !== storage()) return;
    sessionStore.set(readSession(newValue));
  });

function parseValues(text: string | null): Record<string, unknown> {
  if (!text) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    console.error('The stored session could not be read.', error);
    return {};
  }
}

function storage(): Storage {
  return isWall ? sessionStorage : localStorage;
}

function readStored(): string | null {
  try {
    // A wall without a session of its own starts with the logged-in user's.
    return storage().getItem(storageKey) ?? localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(text: string): void {
  try {
    storage().setItem(storageKey, text);
  } catch {
    // Without storage the session lives until the page closes.
  }
}
