/** What the browser keeps: one local-storage key with exactly `sb`, `lang`, `t` and `ut` (specification, section 3). */
import { useSyncExternalStore } from 'react';
import { isLanguage, type Language } from '../../schema/shared/languages';

export interface SessionState {
  /** Whether the sidebar is open. */
  sb: boolean;
  lang: Language;
  /** Bearer token; empty when logged out. */
  t: string;
  /** User token: the JWT that the browser may read. */
  ut: string;
}

export const storageKey = 'sweepline';
export const initialSession: SessionState = { sb: true, lang: 'en', t: '', ut: '' };

/**
 * The stored text as a session: what is missing or of the wrong kind takes its default, what does not belong is
 * dropped.
 */
export function readSession(stored: string | null): SessionState {
  const found = parsed(stored);
  return {
    sb: typeof found.sb === 'boolean' ? found.sb : initialSession.sb,
    lang: isLanguage(found.lang) ? found.lang : initialSession.lang,
    t: typeof found.t === 'string' ? found.t : initialSession.t,
    ut: typeof found.ut === 'string' ? found.ut : initialSession.ut,
  };
}

const listeners = new Set<() => void>();
let current = readSession(stored());

export const session = {
  get: (): SessionState => current,
  /** Keeps the given values; the rest stays. */
  set(values: Partial<SessionState>): void {
    current = { ...current, ...values };
    keep(JSON.stringify(current));
    for (const tell of listeners) tell();
  },
  /** Logged out: both tokens are gone, language and sidebar stay. */
  end: (): void => session.set({ t: '', ut: '' }),
  subscribe(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
};

/** The session, drawn again whenever it changes here or in another tab. */
export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.get);

// A login, logout or language chosen in another tab holds here too.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== storageKey && key !== null) return;
    current = readSession(newValue);
    for (const tell of listeners) tell();
  });

function parsed(text: string | null): Record<string, unknown> {
  if (!text) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    console.error('The stored session could not be read.', error);
    return {};
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(storageKey, text);
  } catch {
    // Storage is full or switched off: the session lasts as long as the page.
  }
}
