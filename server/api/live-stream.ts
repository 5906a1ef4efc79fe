/** One listener: what it may see of what happens, in order, as long as its session lives and it keeps up. */
import type { ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import { registry } from '../../schema/index';
import type { Database } from '../db/database';
import type { Services } from '../services';
import { isTransmittedReason, reasonText } from '../telemetry/reasons';
import { type Caller, holds } from './caller';
import { callerKey } from './entity/compiled';
import { readable } from './entity/fields';
import type { NumberedEvent } from './live-bus';
import { living, table } from './model';
import { unlimited, within } from './scope';

const heartbeat = 15_000;
/** Bytes and events that may wait for a listener; one that is slower is dropped and comes back by `Last-Event-ID`. */
const mostBytes = 1024 * 1024;
const mostWaiting = 20_000;

interface Options {
  response: ServerResponse;
  services: Pick<Services, 'db' | 'entities' | 'log'>;
  /** The caller as of now; `undefined` once the session has ended. */
  callerNow: () => Promise<Caller | undefined>;
  now: () => Date;
  /** Whether the listener wants to hear how many alerts are open. */
  countsAlerts: boolean;
}

export class Stream {
  private waiting: NumberedEvent[] = [];
  private busy = false;
  private ended = false;
  private lastSent = 0;
  /** What the listener may do and reach, as last known. */
  private rights: string | undefined;
  /** How many alerts are open, as last said. */
  private open: number | undefined;
  private counted: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: Options) {
    this.timer = setInterval(() => void this.beat(), heartbeat);
    this.timer.unref();
  }

  /** Takes events that come in order; they are judged and sent one batch after the other. */
  hear(events: readonly NumberedEvent[]): void {
    if (this.ended || events.length === 0) return;
    this.waiting.push(...events);
    if (this.waiting.length > mostWaiting) this.end();
    else if (!this.busy) void this.work();
  }

  send(text: string): void {
    if (this.ended) return;
    const { response } = this.options;
    response.write(text);
    if (response.writableLength > mostBytes) this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.waiting = [];
    clearInterval(this.timer);
    this.options.response.end();
  }

  private async work(): Promise<void> {
    this.busy = true;
    try {
      while (this.waiting.length > 0 && !this.ended) {
        const events = this.waiting.filter(({ eventId }) => eventId > this.lastSent);
        this.waiting = [];
        const caller = await this.options.callerNow();
        if (!caller) return this.end();
        const isOther = this.tellRights(caller);
        if (events.length > 0) await this.deliver(events, caller);
        if (isOther || events.some(({ entity }) => entity === 'alerts')) await this.tellAlerts(caller);
      }
    } catch (err) {
      this.options.services.log.warn({ err }, 'a listener was dropped');
      this.end();
    } finally {
      this.busy = false;
    }
  }

  private async deliver(events: readonly NumberedEvent[], caller: Caller): Promise<void> {
    const { services, now } = this.options;
    const seen = await visibleAmong(services, caller, events);
    const lines = events.flatMap((event) => {
      const entity = services.entities.find(({ name }) => name === event.entity);
      if (!entity || !seen.has(`${event.entity} ${event.id}`)) return [];
      const payload = shownOf({ entity, caller, now: now() }, event.payload);
      return [`id: ${event.eventId}\ndata: ${JSON.stringify({ topic: `resource/${event.entity}/${event.id}`, type: event.type, payload })}\n\n`];
    });
    this.lastSent = events.at(-1)?.eventId ?? this.lastSent;
    if (lines.length > 0) this.send(lines.join(''));
  }

  /** An open page asks anew who it belongs to when roles, permissions or links have changed; the first call says what it knows already. */
  tellRights(caller: Caller): boolean {
    const rights = callerKey(caller);
    const isOther = this.rights !== undefined && this.rights !== rights;
    if (isOther) this.send('event: rights\ndata: {}\n\n');
    this.rights = rights;
    return isOther;
  }

  /** Says how many alerts are open, if that is another number than before. Counts follow each other, so that the last one said is the newest. */
  tellAlerts(caller: Caller): Promise<void> {
    this.counted = this.counted.catch(() => undefined).then(() => this.countAlerts(caller));
    return this.counted;
  }

  private async countAlerts(caller: Caller): Promise<void> {
    const { countsAlerts, services } = this.options;
    if (!countsAlerts || !holds(caller, 'alerts.list')) return;
    const open = await openAlerts(services.db, caller);
    if (open !== this.open) this.send(`event: alerts\ndata: ${JSON.stringify({ open })}\n\n`);
    this.open = open;
  }

  private async beat(): Promise<void> {
    try {
      const caller = await this.options.callerNow();
      if (!caller) return this.end();
      // Whoever reaches another part has other alerts.
      if (this.tellRights(caller)) await this.tellAlerts(caller);
      this.send(': still here\n\n');
    } catch {
      // The database is away for the moment: the session is judged by the next beat.
      this.send(': still here\n\n');
    }
  }
}

/** Which of the rows that events are about the caller may see, as `entity id`. Rows in the bin count: their going is news, too. */
async function visibleAmong(
  { db, entities }: { db: Database; entities: readonly Entity[] },
  caller: Caller,
  events: readonly NumberedEvent[],
): Promise<Set<string>> {
  const ids = new Map<Entity, Set<number>>();
  for (const { entity: name, id } of events) {
    const entity = entities.find((one) => one.name === name);
    if (entity && holds(caller, `${name}.list`)) ids.set(entity, (ids.get(entity) ?? new Set()).add(id));
  }
  const seen = new Set<string>();
  for (const [entity, wanted] of ids) {
    const found = unlimited(entity, caller) ? [...wanted] : await idsWithin(db, { entity, caller, ids: [...wanted] });
    for (const id of found) seen.add(`${entity.name} ${id}`);
  }
  return seen;
}

async function openAlerts(db: Database, caller: Caller): Promise<number> {
  const { alerts } = registry;
  const row = sql.raw('m');
  const found = await db.one<{ n: number }>(
    sql`select count(*)::int as n from ${table(alerts)} m where m.state = 'open' and ${living(row)} and ${within(alerts, caller, row)}`,
  );
  return found?.n ?? 0;
}

async function idsWithin(db: Database, { entity, caller, ids }: { entity: Entity; caller: Caller; ids: number[] }): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select m.id from ${table(entity)} m where m.id = any(${sql.param(ids)}::int[]) and ${within(entity, caller, sql.raw('m'))}`,
  );
  return rows.map(({ id }) => id);
}

/** The values without those that the caller may not read; sentences in the caller's language. None: whoever shows the row asks for it again. */
function shownOf({ entity, caller, now }: { entity: Entity; caller: Caller; now: Date }, payload: Record<string, unknown> | undefined) {
  if (!payload) return {};
  const known = new Set(readable(entity, caller));
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [name, isTransmittedReason(value) ? reasonText(caller.language, { ...value, zone: caller.timeZone ?? value.zone }, now) : value]),
  );
}
