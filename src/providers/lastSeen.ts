/**
 * The answers that the user saw last, to show them while the server cannot be reached. Stored per user, removed when
 * the session ends; what concerns the account itself is never stored.
 */
import { jwtDecode } from 'jwt-decode';
import { createStore, useStoreValue } from './createStore';
import { type DeviceStore, openDeviceStore, type StoredAnswer } from './deviceStore';
import { session } from './session';
import { isWall } from './wallAddress';

const maxAnswers = 400;
/** Characters of an answer. */
const maxLength = 500_000;
/** Milliseconds for which answers are gathered: what a page shows first does not wait for the store. */
const writeDelay = 1500;
const neverStored = /^(events|account|users\/refresh|users\/me|imports|export|.*\/export\b)/;

let pending: StoredAnswer[] = [];
const oldestShown = createStore<number | undefined>(undefined);

/** Whose answers are stored. A view as somebody else is not. */
export function deviceUser(): number | undefined {
  const { t, ut } = session.get();
  try {
    const { id, impersonated_by } = jwtDecode<{ id?: number; impersonated_by?: string }>(ut);
    return t && !impersonated_by ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the JSON of a successful read, soon, unless the user who sent it has left since. */
export function rememberAnswer(user: number | undefined, path: string, text: string): void {
  if (user === undefined || user !== deviceUser() || text.length > maxLength || neverStored.test(path)) return;
  if (pending.length === 0) setTimeout(() => void write(), writeDelay);
  pending.push({ key: `${user} ${path}`, text, at: Date.now() });
}

/** The stored JSON of a read; from now on the page counts as showing it. */
export async function findLastSeen(path: string): Promise<string | undefined> {
  const user = deviceUser();
  if (user === undefined) return undefined;
  const key = `${user} ${path}`;
  const answer =
    pending.findLast((candidate) => candidate.key === key) ??
    (await openDeviceStore()
      .then((store) => store.get('answers', key))
      .catch(() => undefined));
  if (answer && deviceUser() === user) {
    oldestShown.set(Math.min(answer.at, oldestShown.get() ?? answer.at));
    return answer.text;
  }
}

/** When the oldest answer was loaded that is shown in place of the server's, in milliseconds. */
export const useOldestShown = (): number | undefined => useStoreValue(oldestShown);

/** Ends the time of stored answers. Returns whether any was shown. */
export function endLastSeen(): boolean {
  const hadStoredAnswers = oldestShown.get() !== undefined;
  oldestShown.set(undefined);
  return hadStoredAnswers;
}

globalThis.addEventListener?.('pagehide', () => void write());

async function write(): Promise<void> {
  if (pending.length === 0) return;
  const answers = pending;
  pending = [];
  const user = deviceUser();
  try {
    const store = await openDeviceStore();
    const { store: rows, done } = store.transaction('answers', 'readwrite');
    // Logged out meanwhile: nothing of it stays.
    for (const answer of answers) if (answer.key.startsWith(`${user} `)) void rows.put(answer);
    await done;
    await removeOldest(store);
  } catch (error) {
    console.warn('What was loaded could not be stored on this device.', error);
  }
}

async function removeOldest(store: DeviceStore): Promise<void> {
  let surplus = (await store.count('answers')) - maxAnswers;
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
