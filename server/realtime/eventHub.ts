/**
 * All event streams of this process. Delivers in rounds of 250 ms: each round determines visibility and serialises once
 * for all streams, with the newest values per row only. So neither the number of statements nor the JSON to serialise
 * grows with the number of streams.
 */
import { loadCallers } from '../auth/loadCaller';
import { type Caller, hasPermission } from '../context/caller';
import type { NumberedEvent } from '../context/eventBus';
import type { Services } from '../context/services';
import { createBatcher } from '../shared/createBatcher';
import { eventsAfter, retainedEvents } from './createEventBus';
import { createEventBatch, mergeUpdates } from './eventBatch';
import type { EventStream } from './eventStream';
import { readRowScopes } from './rowScopes';

/** Milliseconds between two heartbeats. */
const heartbeat = 15_000;
/** Milliseconds between rounds. */
const roundEvery = 250;
/** Maximum missed events that are sent; beyond, the page must reload everything. */
export const maxMissedEvents = 5000;
/** Missed events per read. */
const pageSize = 500;
/** Seconds for a reader to take one page of missed events. */
const drainTimeout = 30;

export interface EventHub {
  /** Number of open streams. */
  readonly size: number;
  /** Adds a stream. `lastEventId`: last event that its reader received. Resolves when the stream is live. */
  join(stream: EventStream, lastEventId?: number): Promise<void>;
  /** Removes a closed stream. */
  leave(stream: EventStream): void;
  /** Ends every stream. */
  close(): void;
}

type HubServices = Pick<Services, 'db' | 'live' | 'model' | 'log' | 'now'>;

export function openHub(services: HubServices): EventHub {
  const { db, live, log, model } = services;
  const streams = new Set<EventStream>();
  let waitingEvents: NumberedEvent[] = [];
  let isRunning = false;
  /** Id of the last event that a round delivered, or that had no listener. */
  let lastDelivered = live.position;

  const unsubscribe = live.subscribe((events) => {
    if (streams.size === 0) {
      lastDelivered = live.position;
      return;
    }
    waitingEvents.push(...events);
    if (!isRunning) void runRounds();
  });
  const timer = setInterval(() => void sendHeartbeats(), heartbeat);
  timer.unref();

  async function runRounds(): Promise<void> {
    isRunning = true;
    while (waitingEvents.length > 0) {
      const next = new Promise((resolve) => setTimeout(resolve, roundEvery).unref());
      const events = waitingEvents;
      waitingEvents = [];
      lastDelivered = events.at(-1)?.eventId ?? lastDelivered;
      await deliver(events);
      await next;
    }
    isRunning = false;
  }

  async function deliver(events: readonly NumberedEvent[]): Promise<void> {
    const last = lastDelivered;
    const members = [...streams].filter(({ isLive, position }) => isLive && position < last);
    if (members.length === 0) return;
    try {
      const { callers, changed } = await refresh(members);
      const mergedEvents = mergeUpdates(events);
      if (mergedEvents.length > maxMissedEvents) {
        for (const stream of callers.keys()) stream.reset(last);
      } else {
        const batch = await createEventBatch(services, mergedEvents, [...callers.values()]);
        for (const [stream, caller] of callers) stream.advance(batch.bytesFor(caller, stream.position), last);
      }
      const hasAlerts = events.some(({ entity }) => entity === 'alerts');
      for (const stream of callers.keys()) if (hasAlerts || changed.has(stream)) sendAlertCount(stream);
    } catch (err) {
      log.warn({ err, listeners: members.length }, 'delivering events failed; streams were closed');
      // Pages reconnect with their `Last-Event-ID`.
      for (const stream of members) stream.end();
    }
  }

  /**
   * Loads the current callers of streams. `changed`: the streams whose caller is another than before. Ends streams
   * whose session has ended.
   */
  async function refresh(
    members: readonly EventStream[],
  ): Promise<{ callers: Map<EventStream, Caller>; changed: Set<EventStream> }> {
    const current = await loadCallers(
      db,
      members.map(({ token }) => token),
    );
    const callers = new Map<EventStream, Caller>();
    const changedStreams = new Set<EventStream>();
    for (const stream of members) {
      const caller = current.get(stream.token);
      if (!caller) stream.end();
      if (!caller || !stream.isOpen) continue;
      if (caller.accessVersion >= stream.caller.accessVersion && stream.changeCaller(caller))
        changedStreams.add(stream);
      callers.set(stream, stream.caller);
    }
    return { callers, changed: changedStreams };
  }

  async function sendHeartbeats(): Promise<void> {
    const members = [...streams];
    try {
      const { changed } = await refresh(members);
      // A changed scope may contain a different number of alerts.
      for (const stream of changed) sendAlertCount(stream);
    } catch {
      // The database is unreachable: sessions are checked at the next heartbeat.
    }
    for (const stream of members) stream.sendHeartbeat();
  }

  /** Batches concurrent counts; they run one after the other, so that the last one sent is the newest. */
  const countOpenAlerts = createBatcher(async (callers: readonly Caller[]) => {
    const scopes = await readRowScopes(db, model.require('alerts'), { rows: { state: 'open' }, callers });
    return callers.map((caller) => scopes.visibleTo(caller).size);
  });

  function sendAlertCount(stream: EventStream): void {
    const { caller, countsAlerts } = stream;
    if (!countsAlerts || !hasPermission(caller, 'alerts.list')) return;
    countOpenAlerts(caller)
      .then((open) => stream.sendOpenAlerts(open))
      .catch((err: unknown) => log.warn({ err }, 'counting open alerts failed'));
  }

  /** Sends missed events at the reader's pace, until it has caught up with the rounds. */
  async function resume(stream: EventStream, lastEventId: number): Promise<void> {
    const { oldest, newest } = (await retainedEvents(db)) ?? { oldest: 1, newest: 0 };
    stream.position = lastEventId;
    if (lastEventId + 1 < oldest || lastEventId > newest || newest - lastEventId > maxMissedEvents) {
      log.info({ lastEventId, oldest, newest }, 'listener missed too many events');
      stream.reset(live.position);
    }
    while (stream.isOpen && !stream.isLive) {
      const publishedUpTo = live.position;
      const events = await eventsAfter(db, { id: stream.position, upTo: publishedUpTo, limit: pageSize });
      const { callers } = await refresh([stream]);
      const caller = callers.get(stream);
      if (!caller) return;
      const batch = await createEventBatch(services, mergeUpdates(events), [caller]);
      // A page that is not full contains everything up to that position.
      const isLastPage = events.length < pageSize;
      stream.advance(
        batch.bytesFor(caller, stream.position),
        Math.max(events.at(-1)?.eventId ?? 0, isLastPage ? publishedUpTo : 0),
      );
      await stream.awaitDrain(drainTimeout);
      stream.isLive = isLastPage && stream.position >= lastDelivered;
    }
  }

  return {
    get size() {
      return streams.size;
    },
    async join(stream, lastEventId) {
      streams.add(stream);
      sendAlertCount(stream);
      if (lastEventId === undefined) {
        stream.position = live.position;
        stream.isLive = true;
        // Sends the current position: a reader interrupted before the first event misses nothing.
        stream.sendHeartbeat();
        return;
      }
      try {
        await resume(stream, lastEventId);
      } catch (err) {
        log.warn({ err }, 'catching up failed; the stream was closed');
        stream.end();
      }
    },
    leave(stream) {
      stream.isOpen = false;
      streams.delete(stream);
      if (streams.size === 0) waitingEvents = [];
    },
    close() {
      unsubscribe();
      clearInterval(timer);
      for (const stream of streams) stream.sendAway();
    },
  };
}
