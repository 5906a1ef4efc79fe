/**
 * The last responses of the server, shown while it cannot be reached. They are stored per user and removed when the
 * session ends; responses about the account itself are never stored.
 */
import { jwtDecode } from 'jwt-decode';
import { createStore, useStoreValue } from './createStore';
import { type DeviceStore, type LastSeenResponse, openDeviceStore } from './deviceStore';
import { session } from './session';
import { isWall } from './wallAddress';

const maxResponses = 400;
/** Characters of a response. */
const maxLength = 500_000;
/** Milliseconds for which answers are gathered, so that the first rendering of a page does not wait for the store. */
const writeDelay = 1500;
const neverStored = /^(events|account|users\/refresh|users\/me|imports|export|.*\/export\b)/;

let pending: LastSeenResponse[] = [];
const oldestShown = createStore<number | undefined>(undefined);

/** Id of the user whose answers are stored; `undefined` during impersonation, when none are. */
export function deviceUser(): number | undefined {
  const { t, ut } = session.get();
  try {
    const { id, impersonated_by } = jwtDecode<{ id?: number; impersonated_by?: string }>(ut);
    return t && !impersonated_by ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the JSON of a successful read with a delay, unless the user has changed since the request. */
export function rememberResponse(user: number | undefined, path: string, text: string): void {
  if (user === undefined || user !== deviceUser() || text.length > maxLength || neverStored.test(path)) return;
  if (pending.length === 0) setTimeout(() => void write(), writeDelay);
  pending.push({ key: `${user} ${path}`, text, at: Date.now() });
}

/** The stored JSON of a read. The page counts as showing it from now on. */
export async function findLastSeen(path: string): Promise<string | undefined> {
  const user = deviceUser();
  if (user === undefined) return undefined;
  const key = `${user} ${path}`;
  const response =
    pending.findLast((candidate) => candidate.key === key) ??
    (await openDeviceStore()
      .then((store) => store.get('answers', key))
      .catch(() => undefined));
  if (response && deviceUser() === user) {
    oldestShown.set(Math.min(response.at, oldestShown.get() ?? response.at));
    return response.text;
  }
}

/** Time in milliseconds of the oldest stored response that is shown in place of the server's. */
export const useOldestShown = (): number | undefined => useStoreValue(oldestShown);

/** Called when the server answers again. Returns whether stored responses were shown. */
export function endLastSeen(): boolean {
  const hadStoredAnswers = oldestShown.get() !== undefined;
  oldestShown.set(undefined);
  return hadStoredAnswers;
}

globalThis.addEventListener?.('pagehide', () => void write());

async function write(): Promise<void> {
  if (pending.length === 0) return;
  const responses = pending;
  pending = [];
  const user = deviceUser();
  try {
    const store = await openDeviceStore();
    const { store: rows, done } = store.transaction('answers', 'readwrite');
    // The user logged out meanwhile: nothing is stored.
    for (const response of responses) if (response.key.startsWith(`${user} `)) void rows.put(response);
    await done;
    await removeOldest(store);
  } catch (error) {
    console.warn('Answers could not be stored on this device.', error);
  }
}

async function removeOldest(store: DeviceStore): Promise<void> {
  let surplus = (await store.count('answers')) - maxResponses;
  if (surplus <= 0) return;
  const { store: rows, done } = store.transaction('answers', 'readwrite');
  for (let row = await rows.index('at').openCursor(); row && surplus > 0; surplus--) {
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
  pending = [];
  oldestShown.set(undefined);
  openDeviceStore()
    .then((store) => store.clear('answers'))
    .catch(() => undefined);
});
