/** Users behind a reverse proxy: they read, write and follow events, and record everything that fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../../src/providers/readEvents';

export interface ProxyLoadResult {
  calls: number;
  /** Topics of the rows that were created. */
  created: Set<string>;
  failures: string[];
  /** Topics of the events that each follower received. */
  seen: Set<string>[];
}

interface ProxyLoadOptions {
  /** Number of users who call, and of users who follow events. */
  callers: number;
  followers: number;
  /** Milliseconds between two calls of a user. */
  callInterval: number;
}

export function startProxyLoad(
  url: string,
  token: string,
  { callers, followers, callInterval }: ProxyLoadOptions,
): { stop(): Promise<ProxyLoadResult> } {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const controller = new AbortController();
  const failures: string[] = [];
  const createdTopics = new Set<string>();
  const run = Date.now();
  let calls = 0;
  let isDone = false;

  /** Reads events until aborted. Like a page, it resumes at its last event when a stream ends. */
  async function follow(): Promise<Set<string>> {
    const { signal } = controller;
    const topics = new Set<string>();
    let [lastId, retry] = ['', 1000];
    while (!signal.aborted) {
      try {
        const response = await fetch(`${url}/api/v1/events`, {
          headers: { ...headers, ...(lastId && { 'Last-Event-ID': lastId }) },
          signal,
        });
        if (!response.ok) failures.push(`events: ${response.status}`);
        for await (const event of readEvents(response.body)) {
          if (event.id) lastId = event.id;
          retry = event.retry ?? retry;
          if (event.event === 'reset') failures.push('events: reset');
          if (event.data) topics.add((JSON.parse(event.data) as { topic: string }).topic);
        }
      } catch (error) {
        if (!signal.aborted) failures.push(`events: ${error}`);
      }
      await sleep(retry);
    }
    return topics;
  }

  async function callRepeatedly(worker: number): Promise<void> {
    for (let index = 0; !isDone; index += 1) {
      const isWrite = index % 5 === 0;
      const response = await fetch(`${url}/api/v1/countries${isWrite ? '' : '?per_page=5'}`, {
        method: isWrite ? 'POST' : 'GET',
        headers,
        ...(isWrite && { body: JSON.stringify({ name: `Country ${run} ${worker} ${index}` }) }),
      }).catch((error: unknown) => error as Error);
      calls += 1;
      if (response instanceof Error) failures.push(String(response));
      else if (response.status !== (isWrite ? 201 : 200)) failures.push(`${response.status} ${await response.text()}`);
      else if (isWrite)
        createdTopics.add(`resource/countries/${((await response.json()) as { data: { id: number } }).data.id}`);
      else await response.arrayBuffer();
      await sleep(callInterval);
    }
  }

  const pendingFollowers = Array.from({ length: followers }, follow);
  // After 500 ms, all followers are connected.
  const workers = Array.from({ length: callers }, (_, worker) => sleep(500).then(() => callRepeatedly(worker)));
  return {
    async stop() {
      isDone = true;
      await Promise.all(workers);
      // Readers reconnect within 1.5 s.
      await sleep(3000);
      controller.abort();
      return { calls, created: createdTopics, failures, seen: await Promise.all(pendingFollowers) };
    },
  };
}
