/**
 * Offline data of this browser in IndexedDB: responses that a user has seen (`lastSeen.ts`), and entries that are not
 * yet sent (`outbox.ts`).
 */
import type { DBSchema, IDBPDatabase } from 'idb';

export interface LastSeenResponse {
  /** User id and path of the call. */
  key: string;
  text: string;
  /** Time of the response in milliseconds, on the device's clock. */
  at: number;
}

export interface DeviceSchema extends DBSchema {
  answers: { key: string; value: LastSeenResponse; indexes: { at: number } };
  outbox: { key: number; value: OutboxRow };
}

/** An entry as stored; `outbox.ts` defines its content. */
export interface OutboxRow {
  /** Ascending in the order in which entries were created. */
  id?: number;
  userId: number;
  [field: string]: unknown;
}

export type DeviceStore = IDBPDatabase<DeviceSchema>;

let opening: Promise<DeviceStore> | undefined;

/** Opens the store once. @throws if the browser has none, as in some private windows */
export function openDeviceStore(): Promise<DeviceStore> {
  opening ??= import('idb').then(({ openDB }) =>
    openDB<DeviceSchema>('sweepline', 1, {
      upgrade(store) {
        store.createObjectStore('answers', { keyPath: 'key' }).createIndex('at', 'at');
        store.createObjectStore('outbox', { keyPath: 'id', autoIncrement: true });
      },
      // This page must not block a newer version of the application, or a user who deletes the data.
      blocking: (_from, _to, event) => {
        (event.target as IDBDatabase).close();
        opening = undefined;
      },
      terminated: () => {
        opening = undefined;
      },
    }),
  );
  opening.catch(() => {
    opening = undefined;
  });
  return opening;
}

/** Number of entries that wait on this device: those of a user, or of all. Zero without a store. */
export const countWaitingEntries = (user?: number): Promise<number> =>
  openDeviceStore()
    .then((store) => store.getAll('outbox'))
    .then(
      (rows) => rows.filter(({ userId }) => user === undefined || userId === user).length,
      () => 0,
    );
