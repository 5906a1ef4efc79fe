/**
 * The server's last responses, shown while it is unreachable. They are stored per user and removed when the session
 * ends. Responses about the account itself are never stored.
 */
import { jwtDecode } from 'jwt-decode';
import { serverTimeOf } from '../i18n/serverClock';
import { createStore, useStoreValue } from './createStore';
import { type DeviceStore, type LastSeenResponse, openDeviceStore } from './deviceStore';
import { session } from './session';
import { isWall } from './wallAddress';

const maxResponses = 400;
/** Maximum characters of a stored response. */
const maxLength = 500_000;
/**
 * Milliseconds to collect responses before writing, so that the first rendering of a page does not compete with the
 * store.
 */
const writeDelay = 1500;
const neverStored = /^(events|account|users\/refresh|users\/me|imports|export|.*\/export\b)/;

let pendingResponses: LastSeenResponse[] = [];
const oldestShown = createStore<number | undefined>(undefined);

/** Id of the user whose responses are stored; `undefined` when logged out and during impersonation. */
export function deviceUser(): number | undefined {
  const { t, ut } = session.get();
  try {
    const { id, impersonated_by } = jwtDecode<{ id?: number; impersonated_by?: string }>(ut);
    return t && !impersonated_by ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Queues the JSON of a successful read for storing, unless the user has changed since the request. */
export function rememberResponse(user: number | undefined, path: string, text: string): void {
  if (user === undefined || user !== deviceUser() || text.length > maxLength || neverStored.test(path)) return;
  if (pendingResponses.length === 0) setTimeout(() => void write(), writeDelay);
  pendingResponses.push({ key: `${user} ${path}`, text, at: Date.now() });
}

/** The stored JSON of a read; `undefined` without one. From now on the page counts as showing stored data. */
export async function findLastSeen(path: string): Promise<string | undefined> {
  const user = deviceUser();
  if (user === undefined) return undefined;
  const key = `${user} ${path}`;
  const response =
    pendingResponses.findLast((candidate) => candidate.key === key) ??
    (await openDeviceStore()
      .then((store) => store.get('answers', key))
      .catch(() => undefined));
  if (response && deviceUser() === user) {
    oldestShown.set(Math.min(response.at, oldestShown.get() ?? response.at));
    return response.text;
  }
}

/** Time, in milliseconds, of the oldest stored response on the page. Stored times are those of the device's clock. */
export function useOldestShown(): number | undefined {
  const oldest = useStoreValue(oldestShown);
  return oldest === undefined ? undefined : serverTimeOf(oldest);
}

/** Must be called when the server answers again. Returns whether stored responses were shown. */
export function endLastSeen(): boolean {
  const hadStoredResponses = oldestShown.get() !== undefined;
  oldestShown.set(undefined);
  return hadStoredResponses;
}

globalThis.addEventListener?.('pagehide', () => void write());

async function write(): Promise<void> {
  if (pendingResponses.length === 0) return;
  const responses = pendingResponses;
  pendingResponses = [];
  const user = deviceUser();
  try {
    const store = await openDeviceStore();
    const { store: rows, done } = store.transaction('answers', 'readwrite');
    // After a logout the responses of the former user are discarded.
    for (const response of responses) if (response.key.startsWith(`${user} `)) void rows.put(response);
    await done;
    await removeOldest(store);
  } catch (error) {
    console.warn('Responses could not be stored on this device.', error);
  }
}

async function removeOldest(store: DeviceStore): Promise<void> {
  let excess = (await store.count('answers')) - maxResponses;
  if (excess <= 0) return;
  const { store: rows, done } = store.transaction('answers', 'readwrite');
  for (let row = await rows.index('at').openCursor(); row && excess > 0; excess--) {
    await row.delete();
    row = await row.continue();
  }
  await done;
}

let lastUser = deviceUser();
session.subscribe(() => {
  const user = deviceUser();
  if (session.get().t !== '' && (user === lastUser || user === undefined || isWall)) return;
  lastUser = user;
  pendingResponses = [];
  oldestShown.set(undefined);
  openDeviceStore()
    .then((store) => store.clear('answers'))
    .catch(() => undefined);
});
