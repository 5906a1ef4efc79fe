/** Report of a machine at one moment, independent of the protocol. */

import type { Texts } from '../../../locales/types';
import type { StateName } from '../../../schema/entities/machines';
import type { Env } from '../../context/env';

export type Mode = 'robotic' | 'manual' | 'teaching';
export type Reason = keyof Texts['reasons'];
/** `kept`: summary of a past whose messages were deleted; see `materializeObservations.ts`. */
export type Protocol = 'osmand' | 'own' | 'owntracks' | 'thingsboard' | 'vda5050' | 'kept';

/** Seconds of silence after which a machine without a limit of its own is Offline, by protocol. */
export const offlineAfterByProtocol: Record<Protocol, number> = {
  osmand: 600,
  own: 600,
  owntracks: 600,
  thingsboard: 600,
  vda5050: 90,
  kept: 10 * 365 * 86_400,
};

/** Offline policy that follows from an observation. */
export interface OfflinePolicy {
  /** Seconds of silence until Offline. */
  silence: number;
  /** Whether a limit set by people takes precedence. */
  limited: boolean;
}

/** A hibernating vehicle has announced its silence: no limit applies. */
export function offlinePolicyAfter({ protocol, reason }: { protocol: Protocol; reason: Reason }): OfflinePolicy {
  const policyKey = reason === 'hibernating' ? 'kept' : protocol;
  return { silence: offlineAfterByProtocol[policyKey], limited: policyKey !== 'kept' };
}

/** Kinds of observations without a state, which do not affect the timeline. */
export const statelessKinds: readonly string[] = ['visualization', 'attributes'];

const millisecondsPerDay = 86_400_000;

/**
 * Start of the retained observations. Older messages are stored raw but become no observations, because duplicates of
 * deleted observations could not be detected.
 */
export const retentionStart = ({ env, now }: { env: Pick<Env, 'observationDays'>; now: Date }): Date =>
  new Date(now.getTime() - env.observationDays * millisecondsPerDay);

export interface Position {
  /** Degrees, WGS 84. */
  latitude: number;
  longitude: number;
}

/** One of the machine's current errors. */
export interface DeviceError {
  code: string;
  message: string | null;
  level: 'warning' | 'error';
}

/** Attribute with the codes of all current device errors, one per line. */
export const currentErrorsAttribute = 'errors';

/** Set of state keys with their values; see `stateKeys.ts`. */
export type StateKeys = number;

/** A parsed message. */
export interface Message {
  /** Device time; `undefined` if the message has none. */
  at: Date | undefined;
  /** Identifies the observation together with machine and time; duplicates count once. */
  kind: string;
  state: StateName;
  reason: Reason;
  mode: Mode | null;
  /** State keys of this message alone, for devices that send a key only when it changes. */
  own_keys?: StateKeys;
  /** Percent. */
  battery: number | null;
  position: Position | null;
  /** m/s */
  speed: number | null;
  /** Degrees from north, clockwise. */
  heading: number | null;
  /** Metres. */
  accuracy: number | null;
  /** Metres above sea level. */
  altitude: number | null;
  /** Metres; counter of the device. */
  odometer: number | null;
  /** Square metres since the previous message. */
  area: number | null;
  /** Square metres; counter of the device. */
  area_total: number | null;
  error: string | null;
  message: string | null;
  /**
   * All current errors, from devices that repeat them with every message; only new ones are logged. Their codes are the
   * attribute `errors`.
   */
  deviceErrors?: readonly DeviceError[];
  /** Keys that have no field of their own, unchanged. */
  attributes: Record<string, string | number | boolean>;
}

/** The message cannot be parsed: 400, nothing is stored. `device` is its sender, if that could be read. */
export class InvalidMessage extends Error {
  constructor(
    message: string,
    readonly device?: string,
  ) {
    super(message);
    this.name = 'InvalidMessage';
  }
}
