/**
 * VDA 5050, versions 2.0, 2.1 and 3.0: topics `state`, `connection` and `visualization`. Source: the JSON schemas in
 * github.com/VDA5050/VDA5050, tags 2.0.0, 2.1.0 and 3.0.0. Names of all versions are accepted in each: `batteryState`
 * or `powerSupply`, `CONNECTIONBROKEN` or `CONNECTION_BROKEN`, `TEACHIN` or `TEACH_IN`.
 *
 * Vehicle positions are metres on the vehicle's own map: stored as attribute, never taken for degrees.
 */
import type { StateName } from '../../../schema/entities/machines';
import { currentErrorsAttribute, InvalidMessage, type Message, type Mode, type Reason } from '../timeline/observation';
import { parseOptionalDeviceTime } from './clock';
import { interpretAttributes } from './interpretAttributes';
import { isObject, type Json, ownProperty, parseJsonBody, textOrEmpty } from './json';
import { parseMeasure } from './measures';
import { attributesOf, deviceErrorsOf, errorLevel } from './vda5050Details';
import { orderAttributesOf, remainingSteps, runningCleaningFlags } from './vda5050Order';

export const vda5050Topics = ['state', 'connection', 'visualization'] as const;
export type Vda5050Topic = (typeof vda5050Topics)[number];

/**
 * Parses a message. `isCleaning` decides which action types clean. Pure.
 * @throws InvalidMessage
 */
export function readVda5050(
  body: Uint8Array,
  { topic, isCleaning }: { topic: Vda5050Topic; isCleaning: (actionType: string) => boolean },
): Message {
  const fields = parseJsonBody(body);
  if (!isObject(fields)) throw new InvalidMessage('Not an object.');
  const base = commonFields(fields, topic);
  if (topic === 'connection') return { ...base, ...connectionOf(fields) };
  if (topic === 'visualization') return base;
  const deviceErrors = deviceErrorsOf(ownProperty(fields, 'errors'));
  const [worstError] = deviceErrors;
  const attributes = {
    ...base.attributes,
    ...(worstError && {
      [currentErrorsAttribute]: deviceErrors.map(({ code }) => code).join('\n'),
      [errorLevel]: worstError.level === 'warning' ? 'WARNING' : 'ERROR',
    }),
    ...Object.fromEntries(orderAttributesOf(fields, isCleaning)),
  };
  return {
    ...base,
    ...stateOf(fields, isCleaning),
    error: worstError?.code ?? null,
    message: worstError?.message ?? null,
    deviceErrors,
    attributes,
  };
}

function commonFields(fields: Json, topic: Vda5050Topic): Message {
  const mapPosition = findObject(fields, 'mobileRobotPosition') ?? findObject(fields, 'agvPosition') ?? {};
  const velocity = findObject(fields, 'velocity') ?? {};
  const speeds = ['vx', 'vy']
    .map((name) => ownProperty(velocity, name))
    .filter((value) => value !== undefined && value !== null);
  const { own_keys: _, ...message } = interpretAttributes({
    // The time of receipt counts, because a will is written long before the broker sends it.
    at: topic === 'connection' ? undefined : parseOptionalDeviceTime(ownProperty(fields, 'timestamp')),
    position: positionOf(fields) ?? positionOf(mapPosition),
    speed:
      speeds.length > 0 && speeds.every((value) => typeof value === 'number')
        ? parseMeasure('speed', Math.hypot(...speeds))
        : null,
    battery: parseMeasure(
      'battery',
      ownProperty(findObject(fields, 'powerSupply') ?? {}, 'stateOfCharge') ??
        ownProperty(findObject(fields, 'batteryState') ?? {}, 'batteryCharge'),
    ),
    attributes: attributesOf(fields),
  });
  return { ...message, kind: topic, state: 'Online', reason: 'message', mode: null, error: null, message: null };
}

/** Degrees, from vehicles that send them under these names. */
function positionOf(from: Json): Message['position'] {
  const [latitude, longitude] = [
    parseMeasure('latitude', ownProperty(from, 'latitude')),
    parseMeasure('longitude', ownProperty(from, 'longitude')),
  ];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

type StateAndReason = Pick<Message, 'state' | 'reason'>;

const statesByConnection: Readonly<Record<string, StateAndReason>> = {
  ONLINE: { state: 'Online', reason: 'connected' },
  OFFLINE: { state: 'Offline', reason: 'signed_off' },
  HIBERNATING: { state: 'Parked', reason: 'hibernating' },
  CONNECTIONBROKEN: { state: 'Offline', reason: 'connection_lost' },
  CONNECTION_BROKEN: { state: 'Offline', reason: 'connection_lost' },
};

function connectionOf(fields: Json): StateAndReason {
  const state = ownProperty(fields, 'connectionState');
  const result =
    typeof state === 'string' && Object.hasOwn(statesByConnection, state) ? statesByConnection[state] : undefined;
  if (!result) throw new InvalidMessage('Unknown connectionState.');
  return result;
}

const modesByOperatingMode: Readonly<Record<string, Mode>> = {
  AUTOMATIC: 'robotic',
  SEMIAUTOMATIC: 'robotic',
  MANUAL: 'manual',
  INTERVENED: 'manual',
  TEACHIN: 'teaching',
  TEACH_IN: 'teaching',
};

/** Precedence: Charging, Cleaning, Parked, Online. */
function stateOf(fields: Json, isCleaning: (actionType: string) => boolean): StateAndReason & { mode: Mode | null } {
  const operatingMode = textOrEmpty(ownProperty(fields, 'operatingMode'));
  const mode = Object.hasOwn(modesByOperatingMode, operatingMode)
    ? (modesByOperatingMode[operatingMode] as Mode)
    : null;
  const result = (state: StateName, reason: Reason) => ({ state, reason, mode });
  const isCharging = [findObject(fields, 'powerSupply'), findObject(fields, 'batteryState')].some(
    (supply) => supply?.charging === true,
  );
  const isDriving = ownProperty(fields, 'driving') === true;
  const cleaningFlags = runningCleaningFlags(fields, isCleaning);
  const isWorking =
    cleaningFlags.some(Boolean) || (cleaningFlags.length === 0 && isDriving && remainingSteps(fields) > 0);
  if (isCharging) return result('Charging', 'charging');
  if (mode === 'robotic' && isWorking) return result('Cleaning', 'cleaning');
  if (isDriving || operatingMode === 'STARTUP' || operatingMode === 'SERVICE') return result('Online', 'message');
  return result('Parked', 'no_motion');
}

function findObject(from: Json, name: string): Json | undefined {
  const value = ownProperty(from, name);
  return isObject(value) ? value : undefined;
}
