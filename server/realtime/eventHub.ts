/**
 * All open streams of this process. What happens is judged and put into words for all of them together, in rounds: what
 * follows within a quarter of a second is one round, and of each row it carries the newest values only. So neither
 * statements nor JSON grow with the number of streams.
 */
import { loadCallers } from '../auth/loadCaller';
import { type Caller, hasPermission } from '../context/caller';
import type { NumberedEvent } from '../context/eventBus';
import type { Services } from '../context/services';
import { createBatcher } from '../shared/batcher';
import { newestValues, openBatch } from './eventBatch';
import { eventsAfter, keptEvents } from './eventBus';
import type { EventStream } from './eventStream';
import { readRowScopes } from './rowScopes';

const heartbeat = 15_000;
/** Milliseconds between rounds. */
const roundEvery = 250;
/** More missed events than this, and the page is told to ask for everything anew. */
export const maxMissedEvents = 5000;
/** Missed events that are read at once. */
const page = 500;
/** Seconds that a reader may take for one page of what it missed. */
const patience = 30;

export interface EventHub {
  /** How many streams are open. */
  readonly size: number;
  /**
   * Takes a stream; `lastEventId`: the number of the last event that its reader has read. Resolves once it hears what
   * is new.
   */
  join(stream: EventStream, lastEventId?: number): Promise<void>;
  /** Forgets a stream that is closed. */
  leave(stream: EventStream): void;
  /** Ends every stream. */
  close(): void;
}

type HubServices = Pick<Services, 'db' | 'live' | 'model' | 'log' | 'now'>;

export function openHub(services: HubServices): EventHub {
  const { db, live, log, model } = services;
  const streams = new Set<EventStream>();
  let waiting: NumberedEvent[] = [];
  let isRunning = false;
  /** The number of the last event that a round has taken, or that nobody listened to. */
  let taken = live.position;

  const unsubscribe = live.subscribe((events) => {
    if (streams.size === 0) {
      taken = live.position;
      return;
    }
    waiting.push(...events);
    if (!isRunning) void runRounds();
  });
  const timer = setInterval(() => void beat(), heartbeat);
  timer.unref();

  async function runRounds(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const next = new Promise((resolve) => setTimeout(resolve, roundEvery).unref());
      const events = waiting;
      waiting = [];
      taken = events.at(-1)?.eventId ?? taken;
      await deliver(events);
      await next;
    }
    isRunning = false;
  }

  async function deliver(events: readonly NumberedEvent[]): Promise<void> {
    const last = taken;
    const members = [...streams].filter(({ isLive, position }) => isLive && position < last);
    if (members.length === 0) return;
    try {
      const { callers, changed } = await refresh(members);
      const newest = newestValues(events);
      if (newest.length > maxMissedEvents) {
        for (const stream of callers.keys()) stream.reset(last);
      } else {
        const batch = await openBatch(services, newest, [...callers.values()]);
        for (const [stream, caller] of callers) stream.advance(batch.bytesFor(caller, stream.position), last);
      }
      const hasAlerts = events.some(({ entity }) => entity === 'alerts');
      for (const stream of callers.keys()) if (hasAlerts || changed.has(stream)) tellAlerts(stream);
    } catch (err) {
      log.warn({ err, listeners: members.length }, 'listeners were dropped');
      // They come back with the number of the last event that they have read.
      for (const stream of members) stream.end();
    }
  }

  /**
   * The callers of streams as of now, and the streams whose caller is another than before. Where the session has ended
   * the stream ends.
   */
  async function refresh(
    members: readonly EventStream[],
  ): Promise<{ callers: Map<EventStream, Caller>; changed: Set<EventStream> }> {
    const found = await loadCallers(
      db,
      members.map(({ token }) => token),
    );
    const callers = new Map<EventStream, Caller>();
    const changed = new Set<EventStream>();
    for (const stream of members) {
      const caller = found.get(stream.token);
      if (!caller) stream.end();
      if (!caller || !stream.isOpen) continue;
      if (caller.accessVersion >= stream.caller.accessVersion && stream.changeCaller(caller)) changed.add(stream);
      callers.set(stream, stream.caller);
    }
    return { callers, changed };
  }

  async function beat(): Promise<void> {
    const members = [...streams];
    try {
      const { changed } = await refresh(members);
      // Whoever reaches another part has other alerts.
      for (const stream of changed) tellAlerts(stream);
    } catch {
      // The database is away for the moment: sessions are judged by the next beat.
    }
    for (const stream of members) stream.beat();
  }

  /** Counted for all who ask at a time; the counts follow each other, so that the last one said is the newest. */
  const openAlerts = createBatcher(async (callers: readonly Caller[]) => {
    const scopes = await readRowScopes(db, model.require('alerts'), { rows: { state: 'open' }, callers });
    return callers.map((caller) => scopes.visibleTo(caller).size);
  });

  function tellAlerts(stream: EventStream): void {
    const { caller, countsAlerts } = stream;
    if (!countsAlerts || !hasPermission(caller, 'alerts.list')) return;
    openAlerts(caller)
      .then((open) => stream.countAlerts(open))
      .catch((err: unknown) => log.warn({ err }, 'the open alerts could not be counted'));
  }

  /** Sends what was missed, at the pace of the reader, until nothing is left that a round has taken already. */
  async function resume(stream: EventStream, lastEventId: number): Promise<void> {
    const { oldest, newest } = (await keptEvents(db)) ?? { oldest: 1, newest: 0 };
    stream.position = lastEventId;
    if (lastEventId + 1 < oldest || lastEventId > newest || newest - lastEventId > maxMissedEvents) {
      log.info({ lastEventId, oldest, newest }, 'a listener came back too late');
      stream.reset(live.position);
    }
    while (stream.isOpen && !stream.isLive) {
      const handed = live.position;
      const events = await eventsAfter(db, stream.position, page);
      const { callers } = await refresh([stream]);
      const caller = callers.get(stream);
      if (!caller) return;
      const batch = await openBatch(services, newestValues(events), [caller]);
      // A page that is not full holds all that was handed out before it was read.
      const isWhole = events.length < page;
      stream.advance(
        batch.bytesFor(caller, stream.position),
        Math.max(events.at(-1)?.eventId ?? 0, isWhole ? handed : 0),
      );
      await stream.drained(patience);
      stream.isLive = isWhole && stream.position >= taken;
    }
  }

  return {
    get size() {
      return streams.size;
    },
    async join(stream, lastEventId) {
      streams.add(stream);
      tellAlerts(stream);
      if (lastEventId === undefined) {
        stream.position = live.position;
        stream.isLive = true;
        // Whoever is interrupted before anything was news misses nothing either.
        stream.beat();
        return;
      }
      try {
        await resume(stream, lastEventId);
      } catch (err) {
        log.warn({ err }, 'a listener was dropped');
        stream.end();
      }
    },
    leave(stream) {
      stream.isOpen = false;
      streams.delete(stream);
      if (streams.size === 0) waiting = [];
    },
    close() {
      unsubscribe();
      clearInterval(timer);
      for (const stream of streams) stream.end();
    },
  };
}
