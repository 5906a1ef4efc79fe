/**
 * Prepares events for delivery: visibility is determined once for all listeners, and each event is serialised once per
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
   * Bytes of the events after `lastId` that the caller may see; callers who see the same share them. `undefined` if
   * there are none.
   */
  bytesFor(caller: Caller, lastId: number): Buffer | undefined;
}

/**
 * Prepares the events for these callers only: one statement for each entity that some of them see in part, however many
 * callers there are.
 */
export async function createEventBatch(
  { db, model, now }: Pick<Services, 'db' | 'model' | 'now'>,
  events: readonly NumberedEvent[],
  callers: readonly Caller[],
): Promise<EventBatch> {
  const idsByEntity = new Map<ModelEntity, Set<number>>();
  for (const { entity: name, id } of events) {
    const entity = model.find(name);
    if (entity) idsByEntity.set(entity, (idsByEntity.get(entity) ?? new Set()).add(id));
  }
  const scopes = await Promise.all(
    [...idsByEntity].map(async ([entity, ids]): Promise<[ModelEntity, RowScopes]> => {
      const readers = callers.filter((caller) => hasPermission(caller, `${entity.name}.list`));
      return [entity, await readRowScopes(db, entity, { rows: { ids: [...ids] }, callers: readers })];
    }),
  );
  // Where ownership grants access, callers with equal links may see different rows.
  const isPersonal = [...idsByEntity.keys()].some(
    ({ scope }) => scope === 'shared' || (typeof scope === 'object' && scope.self !== undefined),
  );
  const fieldCodes = [...idsByEntity.keys()].flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ read }) => read ?? []),
  );
  const currentTime = now();
  const visible = new Map<string, number[]>();
  const views = new Map<string, (string | undefined)[]>();
  const bytes = new Map<string, Buffer>();

  const visibleIndexes = (caller: Caller): number[] => {
    const visibleIds = new Map(
      scopes
        .filter(([entity]) => hasPermission(caller, `${entity.name}.list`))
        .map(([entity, rows]) => [entity.name, rows.visibleTo(caller)] as const),
    );
    return events.flatMap(({ entity, id }, index) => (visibleIds.get(entity)?.has(id) ? [index] : []));
  };

  return {
    bytesFor(caller, lastId) {
      const audience = isPersonal
        ? `${audienceKey(caller)} ${caller.userId} ${caller.roles.map(({ id }) => id)}`
        : audienceKey(caller);
      const indexes = visible.get(audience) ?? visibleIndexes(caller);
      visible.set(audience, indexes);
      const unsent = indexes.filter((index) => (events[index] as NumberedEvent).eventId > lastId);
      if (unsent.length === 0) return undefined;
      const view = `${caller.language} ${caller.timeZone} ${fieldCodes.filter((code) => hasPermission(caller, code))}`;
      const key = `${audience} ${view} ${unsent[0]}`;
      const texts = views.get(view) ?? [];
      views.set(view, texts);
      const result =
        bytes.get(key) ??
        Buffer.from(unsent.map((index) => (texts[index] ??= textOf(events[index] as NumberedEvent, caller))).join(''));
      bytes.set(key, result);
      return result;
    },
  };

  function textOf({ eventId, entity: name, id, type, payload }: NumberedEvent, caller: Caller): string {
    const entity = model.find(name) as ModelEntity;
    const data = {
      topic: `resource/${name}/${id}`,
      type,
      payload: payload ? readablePayload({ entity, caller, now: currentTime }, payload) : {},
    };
    return `id: ${eventId}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

/**
 * Payload without fields that the caller may not read, with sentences in the caller's language. If nothing remains,
 * pages reload the row.
 */
function readablePayload(
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
 * Merges successive updates of a row into the last one, with the newest values. An update without values makes pages
 * reload the row and merges only with others of that sort. Creation and deletion are never merged.
 */
export function mergeUpdates(events: readonly NumberedEvent[]): NumberedEvent[] {
  const latestByRow = new Map<string, { event: NumberedEvent; index: number }>();
  const mergedEvents: (NumberedEvent | undefined)[] = [...events];
  for (const [index, event] of events.entries()) {
    const row = `${event.entity} ${event.id}`;
    if (event.type !== 'updated') {
      latestByRow.delete(`${row} values`);
      latestByRow.delete(`${row} none`);
      continue;
    }
    const key = `${row} ${event.payload && Object.keys(event.payload).length > 0 ? 'values' : 'none'}`;
    const earlierUpdate = latestByRow.get(key);
    const merged = earlierUpdate?.event.payload
      ? { ...event, payload: { ...earlierUpdate.event.payload, ...event.payload } }
      : event;
    if (earlierUpdate) mergedEvents[earlierUpdate.index] = undefined;
    mergedEvents[index] = merged;
    latestByRow.set(key, { event: merged, index });
  }
  return mergedEvents.filter((event) => event !== undefined);
}

const permissionKeys = new WeakMap<Caller, string>();
const audienceKeys = new WeakMap<Caller, string>();

/** Equal for callers with equal permissions. */
const permissionsKey = (caller: Caller): string =>
  cachedKey(permissionKeys, caller, () => [...caller.permissions].sort());

/** Equal for callers with equal permissions and scope, apart from their own rows. */
const audienceKey = (caller: Caller): string =>
  cachedKey(audienceKeys, caller, () => [
    permissionsKey(caller),
    [...caller.scopes].sort(),
    caller.scopes.has('all') ? null : caller.links,
  ]);

function cachedKey(keys: WeakMap<Caller, string>, caller: Caller, content: () => unknown): string {
  const key = keys.get(caller) ?? createHash('sha256').update(JSON.stringify(content())).digest('base64');
  keys.set(caller, key);
  return key;
}
