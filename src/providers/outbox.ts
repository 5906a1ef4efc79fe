/**
 * Entries that users make at a machine, possibly without a network. They are stored on the device first, then sent in
 * order as soon as the server is reachable. An idempotency key per entry prevents duplicates when an entry is sent
 * again after its response was lost. Entries that the server rejects stay, with the reason, until the user decides.
 */
import { HttpError } from 'react-admin';
import { createStore, useStoreValue } from './createStore';
import { type OutboxRow, openDeviceStore } from './deviceStore';
import { api, isServerAway } from './http';
import { deviceUser } from './lastSeen';
import { isServerReachable, onReachability, whenReachable } from './reachability';
import { session } from './session';

export interface OutboxEntry extends OutboxRow {
  kind: 'problem' | 'service' | 'note';
  /** Subject in the user's words: a serial number. */
  about: string;
  /** Description of the entry in the user's language. */
  words: string;
  /** Idempotency key. */
  key: string;
  /** Creation time in milliseconds, on the device's clock. */
  madeAt: number;
  path: string;
  body: object;
  /** Sent to `filePath` once the row exists; its id replaces `{id}`. */
  files: File[];
  filePath?: string;
  createdId?: number;
  /** Why the server rejected it. */
  refusal?: string;
}

export type NewEntry = Pick<OutboxEntry, 'kind' | 'about' | 'words' | 'path' | 'body' | 'files' | 'filePath'>;

/** Milliseconds before the next attempt after a server error, or once an unreachable server answers again. */
const retryDelay = 30_000;
const resumeDelay = 300;
const entries = createStore<OutboxEntry[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;
const errors = new Map<number, HttpError>();

/** The user's unsent entries, oldest first. */
export const useOutbox = (): OutboxEntry[] => useStoreValue(entries);

interface EntryResult {
  /** False if the entry is still waiting for the server. */
  isSent: boolean;
  /** Why a file of the entry was rejected, although the entry was accepted. */
  fileProblem?: string;
}

/**
 * Stores an entry and sends it after the earlier ones.
 * @throws HttpError if the server rejects it; the entry is then removed, since the form still shows it
 */
export async function submitEntry(entry: NewEntry): Promise<EntryResult> {
  // Browsers offer `crypto.randomUUID` only with HTTPS and on localhost.
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const row: OutboxEntry = { ...entry, userId: deviceUser() ?? 0, key, madeAt: Date.now() };
  const id = await addRow(row);
  // Without a store, or during impersonation, entries cannot be queued.
  if (id === undefined) {
    await send(row, async () => undefined);
    return { isSent: true };
  }
  await sendWaiting();
  const pendingEntry = entries.get().find((candidate) => candidate.id === id);
  const error = errors.get(id);
  if (!pendingEntry || !error) return { isSent: pendingEntry === undefined };
  await discardEntry(id);
  if (pendingEntry.createdId === undefined) throw error;
  return { isSent: true, fileProblem: pendingEntry.refusal };
}

/** Sends waiting entries in order, in one tab at a time. Stops at the first entry that cannot be sent yet. */
export async function sendWaiting(): Promise<void> {
  clearTimeout(timer);
  await inOneTab(async () => {
    for (const entry of await readRows()) {
      if (entry.refusal !== undefined) continue;
      const isDone = await trySend(entry);
      if (!isDone) break;
    }
  });
  await refresh();
}

export async function retryEntry(id: number): Promise<void> {
  const entry = entries.get().find((row) => row.id === id);
  if (entry) await putRow({ ...entry, refusal: undefined });
  await sendWaiting();
}

export async function discardEntry(id: number): Promise<void> {
  errors.delete(id);
  await (await openDeviceStore()).delete('outbox', id);
  await refresh();
}

/** Sends now, whenever the server becomes reachable, and after each login. Returns `stop()`. */
export function startOutbox(): () => void {
  const start = () => void sendWaiting().catch(console.warn);
  const stopListening = [onReachability(() => isServerReachable() && start()), session.subscribe(start)];
  start();
  return () => {
    clearTimeout(timer);
    for (const stop of stopListening) stop();
  };
}

function sendLater(delay: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendWaiting().catch(console.warn), delay);
}

/** Sends one entry. Returns whether the next one may follow. */
async function trySend(entry: OutboxEntry): Promise<boolean> {
  const id = entry.id as number;
  try {
    const isSent = await send(entry, putRow);
    if (!isSent) return false;
    await (await openDeviceStore()).delete('outbox', id);
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) {
      // Such as a failure of the store on the device.
      console.warn('An entry could not be sent yet.', error);
      sendLater(retryDelay);
      return false;
    }
    const { status } = error;
    if (isServerAway(error)) void whenReachable().then(() => sendLater(resumeDelay));
    else if (status === 429 || status >= 500) sendLater(retryDelay);
    // After the session has ended, the entry is sent with the next login.
    if (isServerAway(error) || status === 401 || status === 429 || status >= 500) return false;
    errors.set(id, error);
    await putRow({ ...entry, refusal: reasonOf(error) });
    return true;
  }
}

/**
 * Creates the row, then uploads its files one by one. `onStep` stores the progress. Stops between two calls and
 * resolves to false if the user has changed: another session must not send the author's entry.
 */
async function send(entry: OutboxEntry, onStep: (entry: OutboxEntry) => Promise<unknown>): Promise<boolean> {
  const isAuthor = () => entry.userId === (deviceUser() ?? 0);
  if (entry.createdId === undefined) {
    if (!isAuthor()) return false;
    const headers = { 'Idempotency-Key': entry.key };
    const { data }: { data: { id: number } } = await api(entry.path, { method: 'POST', body: entry.body, headers });
    entry.createdId = data.id;
    await onStep(entry);
  }
  for (let [file] = entry.files; file; [file] = entry.files) {
    if (!isAuthor()) return false;
    const form = new FormData();
    form.append('file', file);
    const path = (entry.filePath ?? '').replace('{id}', String(entry.createdId));
    const headers = { 'Idempotency-Key': `${entry.key} ${entry.files.length}` };
    await api(path, { method: 'POST', form, headers });
    entry.files = entry.files.slice(1);
    await onStep(entry);
  }
  return true;
}

/** The problems of the fields, or else the message of the response. */
function reasonOf({ message, body }: HttpError): string {
  const { errors: problems = {} } = (body ?? {}) as { errors?: Record<string, string[]> };
  return Object.values(problems).flat().join(' ') || message;
}

async function addRow(row: OutboxEntry): Promise<number | undefined> {
  if (row.userId === 0) return undefined;
  try {
    const id = await (await openDeviceStore()).add('outbox', row);
    await refresh();
    return id;
  } catch (error) {
    console.warn('The entry could not be stored on this device.', error);
    return undefined;
  }
}

const putRow = async (entry: OutboxEntry) => (await openDeviceStore()).put('outbox', entry);

async function readRows(): Promise<OutboxEntry[]> {
  const user = deviceUser();
  const rows = await openDeviceStore().then(
    (store) => store.getAll('outbox'),
    () => [],
  );
  return (rows as OutboxEntry[]).filter(({ userId }) => userId === user);
}

async function refresh(): Promise<void> {
  entries.set(await readRows());
}

const inOneTab = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('sweepline.outbox', work) : work();
