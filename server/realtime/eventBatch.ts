/**
 * Events made ready for listeners: who sees which is judged once for all of them, and each event becomes JSON once per
 * language and set of readable fields.
 */
import { createHash } from 'node:crypto';
import { type Caller, hasPermission } from '../context/caller';
import type { NumberedEvent } from '../context/eventBus';
import type { ModelEntity, Services } from '../context/services';
import { readableFields } from '../crud/query/fields';
import { isTransmittedReason, reasonText } from '../telemetry/timeline/reasons';
import { type RowScopes, readRowScopes } from './rowScopes';

export interface EventBatch {
  /**
   * What the caller is to read of the events after a number, the same bytes for all who see the same; `undefined`:
   * nothing.
   */
  bytesFor(caller: Caller, after: number): Buffer | undefined;
}

/**
 * Judges events for these callers and no others: one statement per entity that somebody sees a part of, however many
 * callers there are.
 */
export async function openBatch(
  { db, model, now }: Pick<Services, 'db' | 'model' | 'now'>,
  events: readonly NumberedEvent[],
  callers: readonly Caller[],
): Promise<EventBatch> {
  const about = new Map<ModelEntity, Set<number>>();
  for (const { entity: name, id } of events) {
    const entity = model.find(name);
    if (entity) about.set(entity, (about.get(entity) ?? new Set()).add(id));
  }
  const scopes = await Promise.all(
    [...about].map(async ([entity, ids]): Promise<[ModelEntity, RowScopes]> => {
      const readers = callers.filter((caller) => hasPermission(caller, `${entity.name}.list`));
      return [entity, await readRowScopes(db, entity, { rows: { ids: [...ids] }, callers: readers })];
    }),
  );
  // Where a row may be opened by being one's own, two who are linked with the same are not alike.
  const isPersonal = [...about.keys()].some(
    ({ scope }) => scope === 'shared' || (typeof scope === 'object' && scope.self !== undefined),
  );
  const fieldCodes = [...about.keys()].flatMap(({ fields }) => Object.values(fields).flatMap(({ read }) => read ?? []));
  const at = now();
  const visible = new Map<string, number[]>();
  const views = new Map<string, (string | undefined)[]>();
  const bytes = new Map<string, Buffer>();

  const visibleIndexes = (caller: Caller): number[] => {
    const seen = new Map(
      scopes
        .filter(([entity]) => hasPermission(caller, `${entity.name}.list`))
        .map(([entity, rows]) => [entity.name, rows.visibleTo(caller)] as const),
    );
    return events.flatMap(({ entity, id }, index) => (seen.get(entity)?.has(id) ? [index] : []));
  };

  return {
    bytesFor(caller, after) {
      const audience = isPersonal
        ? `${audienceKey(caller)} ${caller.userId} ${caller.roles.map(({ id }) => id)}`
        : audienceKey(caller);
      const indexes = visible.get(audience) ?? visibleIndexes(caller);
      visible.set(audience, indexes);
      const wanted = indexes.filter((index) => (events[index] as NumberedEvent).eventId > after);
      if (wanted.length === 0) return undefined;
      const view = `${caller.language} ${caller.timeZone} ${fieldCodes.filter((code) => hasPermission(caller, code))}`;
      const key = `${audience} ${view} ${wanted[0]}`;
      const texts = views.get(view) ?? [];
      views.set(view, texts);
      const found =
        bytes.get(key) ??
        Buffer.from(wanted.map((index) => (texts[index] ??= textOf(events[index] as NumberedEvent, caller))).join(''));
      bytes.set(key, found);
      return found;
    },
  };

  function textOf({ eventId, entity: name, id, type, payload }: NumberedEvent, caller: Caller): string {
    const entity = model.find(name) as ModelEntity;
    const data = {
      topic: `resource/${name}/${id}`,
      type,
      payload: payload ? shownOf({ entity, caller, now: at }, payload) : {},
    };
    return `id: ${eventId}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

/**
 * The values without those that the caller may not read; sentences in the caller's language. None: whoever shows the
 * row asks for it again.
 */
function shownOf(
  { entity, caller, now }: { entity: ModelEntity; caller: Caller; now: Date },
  payload: Record<string, unknown>,
) {
  const names = new Set(readableFields(entity, caller));
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([name]) => names.has(name))
      .map(([name, value]) => [
        name,
        isTransmittedReason(value)
          ? reasonText(caller.language, { ...value, zone: caller.timeZone ?? value.zone }, now)
          : value,
      ]),
  );
}

/**
 * Only the newest values of each row: successive updates become one, in the place of the last. An update without values
 * asks pages to read the row again and is merged with its like only; a creation or a deletion ends what can be merged.
 */
export function newestValues(events: readonly NumberedEvent[]): NumberedEvent[] {
  const later = new Map<string, { event: NumberedEvent; index: number }>();
  const merged: (NumberedEvent | undefined)[] = [...events];
  for (const [index, event] of events.entries()) {
    const row = `${event.entity} ${event.id}`;
    if (event.type !== 'updated') {
      later.delete(`${row} values`);
      later.delete(`${row} none`);
      continue;
    }
    const key = `${row} ${event.payload && Object.keys(event.payload).length > 0 ? 'values' : 'none'}`;
    const earlier = later.get(key);
    const whole = earlier?.event.payload
      ? { ...event, payload: { ...earlier.event.payload, ...event.payload } }
      : event;
    if (earlier) merged[earlier.index] = undefined;
    merged[index] = whole;
    later.set(key, { event: whole, index });
  }
  return merged.filter((event) => event !== undefined);
}

const permissionKeys = new WeakMap<Caller, string>();
const audienceKeys = new WeakMap<Caller, string>();

/** Equal for callers who may do the same. */
const permissionsKey = (caller: Caller): string => keptIn(permissionKeys, caller, () => [...caller.permissions].sort());

/** Equal for callers who may do the same and reach the same, their own rows aside. */
const audienceKey = (caller: Caller): string =>
  keptIn(audienceKeys, caller, () => [
    permissionsKey(caller),
    [...caller.scopes].sort(),
    caller.scopes.has('all') ? null : caller.links,
  ]);

function keptIn(keys: WeakMap<Caller, string>, caller: Caller, whole: () => unknown): string {
  const found = keys.get(caller) ?? createHash('sha256').update(JSON.stringify(whole())).digest('base64');
  keys.set(caller, found);
  return found;
}
