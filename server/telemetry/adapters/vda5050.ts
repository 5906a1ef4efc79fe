/**
 * VDA 5050, versions 2.0, 2.1 and 3.0: what a vehicle says on its topics `state`, `connection` and `visualization`.
 * Source: the JSON schemas in github.com/VDA5050/VDA5050, tags 2.0.0, 2.1.0 and 3.0.0. Names of all versions are
 * understood in each:
 * `batteryState` or `powerSupply`, `CONNECTIONBROKEN` or `CONNECTION_BROKEN`, `TEACHIN` or `TEACH_IN`.
 *
 * Vehicles tell their place in metres on a map of their own: it is kept as an attribute and never taken for degrees.
 */
import type { StateName } from '../../../schema/entities/machines';
import { InvalidMessage, lastingErrors, type Message, type Mode, type Reason } from '../timeline/observation';
import { momentOf } from './clock';
import { isObject, type Json, jsonOf, ownOf } from './json';
import { meaningOf } from './meaning';
import { figureOf } from './measures';
import { attributesOf, troublesOf } from './vda5050-details';

export const vda5050Topics = ['state', 'connection', 'visualization'] as const;
export type Vda5050Topic = (typeof vda5050Topics)[number];

/** An action type without regard to its spelling: `startCleaning` is `START_CLEANING`. */
export const actionName = (type: string): string => type.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Reads a message. `cleaning`: the names, as `actionName` gives them, of the actions that clean. Pure; throws
 * `Unreadable` and nothing else.
 */
export function readVda5050(
  body: Uint8Array,
  { topic, cleaning }: { topic: Vda5050Topic; cleaning: ReadonlySet<string> },
): Message {
  const given = jsonOf(body);
  if (!isObject(given)) throw new InvalidMessage('Not an object.');
  const told = common(given, topic);
  if (topic === 'connection') return { ...told, ...connectionOf(given) };
  if (topic === 'visualization') return told;
  const troubles = troublesOf(ownOf(given, 'errors'));
  const [worst] = troubles;
  const attributes = worst
    ? { ...told.attributes, [lastingErrors]: troubles.map(({ code }) => code).join('\n') }
    : told.attributes;
  return {
    ...told,
    ...stateOf(given, cleaning),
    error: worst?.code ?? null,
    message: worst?.message ?? null,
    troubles,
    attributes,
  };
}

function common(given: Json, topic: Vda5050Topic): Message {
  const place = part(given, 'mobileRobotPosition') ?? part(given, 'agvPosition') ?? {};
  const velocity = part(given, 'velocity') ?? {};
  const [vx, vy] = [ownOf(velocity, 'vx'), ownOf(velocity, 'vy')];
  const told = meaningOf({
    // Wills are written long before they are sent, and every vehicle's connection is the broker's knowledge: its time
    // counts.
    at: topic === 'connection' ? undefined : timeOf(ownOf(given, 'timestamp')),
    position: positionOf(given) ?? positionOf(place),
    speed:
      typeof vx === 'number' || typeof vy === 'number'
        ? figureOf('speed', Math.hypot(Number(vx ?? 0), Number(vy ?? 0)))
        : null,
    battery: figureOf(
      'battery',
      ownOf(part(given, 'powerSupply') ?? {}, 'stateOfCharge') ??
        ownOf(part(given, 'batteryState') ?? {}, 'batteryCharge'),
    ),
    attributes: attributesOf(given),
  });
  return { ...told, kind: topic, state: 'Online', reason: 'message', mode: null, error: null, message: null };
}

const timeOf = (value: unknown) => (value === undefined ? undefined : momentOf(value));

/** Degrees, from vehicles that know theirs and say so by these names. */
function positionOf(from: Json): Message['position'] {
  const [latitude, longitude] = [
    figureOf('latitude', ownOf(from, 'latitude')),
    figureOf('longitude', ownOf(from, 'longitude')),
  ];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

type Said = Pick<Message, 'state' | 'reason'>;

const connections: Readonly<Record<string, Said>> = {
  ONLINE: { state: 'Online', reason: 'connected' },
  OFFLINE: { state: 'Offline', reason: 'signed_off' },
  HIBERNATING: { state: 'Parked', reason: 'hibernating' },
  CONNECTIONBROKEN: { state: 'Offline', reason: 'connection_lost' },
  CONNECTION_BROKEN: { state: 'Offline', reason: 'connection_lost' },
};

function connectionOf(given: Json): Said {
  const state = ownOf(given, 'connectionState');
  const said = typeof state === 'string' && Object.hasOwn(connections, state) ? connections[state] : undefined;
  if (!said) throw new InvalidMessage('No known connectionState.');
  return said;
}

const modes: Readonly<Record<string, Mode>> = {
  AUTOMATIC: 'robotic',
  SEMIAUTOMATIC: 'robotic',
  MANUAL: 'manual',
  INTERVENED: 'manual',
  TEACHIN: 'teaching',
  TEACH_IN: 'teaching',
};

/** If several hold: Charging before Cleaning before Parked before Online. */
function stateOf(given: Json, cleaning: ReadonlySet<string>): Said & { mode: Mode | null } {
  const operatingMode = String(ownOf(given, 'operatingMode') ?? '');
  const mode = Object.hasOwn(modes, operatingMode) ? (modes[operatingMode] as Mode) : null;
  const said = (state: StateName, reason: Reason) => ({ state, reason, mode });
  const isCharging = [part(given, 'powerSupply'), part(given, 'batteryState')].some(
    (supply) => supply?.charging === true,
  );
  const isDriving = ownOf(given, 'driving') === true;
  if (isCharging) return said('Charging', 'charging');
  if (mode === 'robotic' && ((isDriving && Boolean(ownOf(given, 'orderId'))) || isCleaning(given, cleaning)))
    return said('Cleaning', 'cleaning');
  if (isDriving || operatingMode === 'STARTUP' || operatingMode === 'SERVICE') return said('Online', 'message');
  return said('Parked', 'no_motion');
}

const isCleaning = (given: Json, cleaning: ReadonlySet<string>): boolean =>
  ['actionStates', 'instantActionStates', 'zoneActionStates'].some((list) => {
    const actions = ownOf(given, list);
    return (
      Array.isArray(actions) &&
      actions.some(
        (action) =>
          isObject(action) &&
          action.actionStatus === 'RUNNING' &&
          cleaning.has(actionName(String(action.actionType ?? ''))),
      )
    );
  });

function part(from: Json, name: string): Json | undefined {
  const value = ownOf(from, name);
  return isObject(value) ? value : undefined;
}
