/** Applies server events to data on open pages (contract: `GET /events`). */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RaRecord } from 'react-admin';
import { refreshUser } from './auth';
import { fetchApi } from './http';
import { readEvents } from './readEvents';
import { session } from './session';

export interface LiveMessage {
  /** `resource/machines/7`. */
  topic: string;
  type: 'created' | 'updated' | 'deleted';
  /** Changed values of the row. */
  payload?: Record<string, unknown>;
}

type Handler = (message: LiveMessage) => void;
const handlers = new Set<{ topic: string; handler: Handler }>();

/** Calls `handler` for events of a topic: `resource/machines` for all machines, `resource/machines/7` for one. */
export function useLive(topic: string, handler: Handler): void {
  const latestHandler = useRef(handler);
  latestHandler.current = handler;
  useEffect(() => {
    const entry = { topic, handler: (message: LiveMessage) => latestHandler.current(message) };
    handlers.add(entry);
    return () => void handlers.delete(entry);
  }, [topic]);
}

const firstDelay = 1000;
const maxDelay = 30_000;
/**
 * Milliseconds after which a silent connection counts as lost: three heartbeats of the server. With a cut cable it
 * would never end by itself.
 */
const maxSilence = 45_000;
/** Milliseconds to collect events, which are then applied in one render. */
const batchDelay = 120;
/** Minimum milliseconds between reloads of lists that rows entered or left. */
const relistDelay = 2000;

/** Listens to events; reconnects and resumes automatically. Returns `stop()`. */
export function listen(client: QueryClient): () => void {
  const controller = new AbortController();
  const apply = createCollector(client);
  void (async () => {
    let lastId = '';
    let delay = firstDelay;
    while (!controller.signal.aborted && session.get().t) {
      try {
        const response = await fetchApi('events', {
          signal: controller.signal,
          headers: { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
        });
        delay = firstDelay;
        // Changes of rights while disconnected are not sent later.
        if (lastId) void refreshUser().catch(console.error);
        for await (const { id, event, data, retry } of readEvents(response.body, maxSilence)) {
          // A server that shuts down sends each page its delay, so that not all reconnect at once.
          if (retry !== undefined) delay = retry;
          if (id) lastId = id;
          // More events were missed than the server keeps, so everything on the page is reloaded.
          if (event === 'reset') void client.invalidateQueries();
          if (event === 'rights') void refreshRights(client);
          const message = data ? parseMessage(data) : undefined;
          if (message) apply(message);
        }
      } catch (error) {
        if (controller.signal.aborted || !session.get().t) return;
        console.warn('Live events were interrupted.', error);
      }
      await wait(delay, controller.signal);
      delay = Math.min(delay * 2, maxDelay);
    }
  })();
  return () => controller.abort();
}

/** Reloads what depends on the user's rights: menus and pages. */
async function refreshRights(client: QueryClient): Promise<void> {
  await refreshUser().catch(console.error);
  await client.invalidateQueries();
}

function createCollector(client: QueryClient): (message: LiveMessage) => void {
  let queue: LiveMessage[] = [];
  const scheduledLists = new Set<string>();
  const invalidateLists = (resource: string) => {
    if (scheduledLists.has(resource)) return;
    scheduledLists.add(resource);
    setTimeout(() => {
      scheduledLists.delete(resource);
      for (const method of ['getList', 'getManyReference'])
        void client.invalidateQueries({ queryKey: [resource, method] });
    }, relistDelay);
  };
  const flush = () => {
    const messages = queue;
    queue = [];
    applyUpdates(client, messages);
    for (const message of messages) {
      const [, resource = '', id] = message.topic.split('/');
      if (message.type !== 'updated') invalidateLists(resource);
      // An event without values makes pages that show the row reload it.
      else if (id && Object.keys(message.payload ?? {}).length === 0)
        void client.invalidateQueries({
          predicate: ({ queryKey: [name, method, params] }) =>
            name === resource && method === 'getOne' && String((params as { id?: unknown } | undefined)?.id) === id,
        });
      for (const { topic, handler } of handlers)
        if (message.topic === topic || message.topic.startsWith(`${topic}/`)) handler(message);
    }
  };
  return (message) => {
    if (queue.length === 0) setTimeout(flush, batchDelay);
    queue.push(message);
  };
}

/** Applies changed values to every cached row of `getOne`, `getMany`, `getList` and `getManyReference`. */
export function applyUpdates(client: QueryClient, messages: readonly LiveMessage[]): void {
  const changes = new Map<string, Map<string, Record<string, unknown>>>();
  for (const { topic, type, payload } of messages) {
    const [, resource, id] = topic.split('/');
    if (type !== 'updated' || !resource || !id || !payload) continue;
    const rows = changes.get(resource) ?? new Map<string, Record<string, unknown>>();
    changes.set(resource, rows.set(id, { ...rows.get(id), ...payload }));
  }
  for (const [resource, rows] of changes) {
    client.setQueriesData({ queryKey: [resource] }, (cached: unknown) => {
      const next = applyChanges(cached, rows);
      // Setting an equal value would count as a new response and render every page that shows it.
      return next === cached ? undefined : next;
    });
  }
}

type Changes = ReadonlyMap<string, Record<string, unknown>>;

/** Returns the cached value with its rows changed, or the same object if it contains none of them. */
function applyChanges(cached: unknown, rows: Changes): unknown {
  if (Array.isArray(cached)) return changeRows(cached, rows);
  if (!isObject(cached)) return cached;
  if (Array.isArray(cached.pages)) {
    const { pages } = cached as unknown as InfiniteData<unknown>;
    const next = pages.map((page) => applyChanges(page, rows));
    return next.every((page, index) => page === pages[index]) ? cached : { ...cached, pages: next };
  }
  if (Array.isArray(cached.data)) {
    const data = changeRows(cached.data, rows);
    return data === cached.data ? cached : { ...cached, data };
  }
  return changeRow(cached, rows);
}

function changeRows(list: unknown[], rows: Changes): unknown[] {
  const next = list.map((row) => changeRow(row, rows));
  return next.every((row, index) => row === list[index]) ? list : next;
}

function changeRow(row: unknown, rows: Changes): unknown {
  const change = isObject(row) && 'id' in row ? rows.get(String((row as unknown as RaRecord).id)) : undefined;
  return change ? { ...(row as Record<string, unknown>), ...change } : row;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parseMessage(data: string): LiveMessage | undefined {
  try {
    const message = JSON.parse(data) as Partial<LiveMessage>;
    return typeof message.topic === 'string' && typeof message.type === 'string' ? (message as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
}

const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
