/** What a machine said at one moment, whatever protocol carried it. */

import type { Texts } from '../../../locales/types';
import type { StateName } from '../../../schema/entities/machines';
import type { Env } from '../../context/env';

export type Mode = 'robotic' | 'manual' | 'teaching';
export type Reason = keyof Texts['reasons'];
/** `kept`: no message, but what is known of a past whose messages are gone; see `kept.ts`. */
export type Protocol = 'osmand' | 'own' | 'thingsboard' | 'vda5050' | 'kept';

/**
 * Silence longer than this makes a machine Offline that has no limit of its own: seconds by protocol (domain: "Machine
 * state").
 */
export const offlineAfterByProtocol: Record<Protocol, number> = {
  osmand: 600,
  own: 600,
  thingsboard: 600,
  vda5050: 90,
  kept: 10 * 365 * 86_400,
};

/** How silence is borne after an observation. */
export interface OfflinePolicy {
  /** Seconds of silence after which the machine is Offline. */
  silence: number;
  /** Whether a limit that people have set goes before that. */
  limited: boolean;
}

/** A vehicle that hibernates is connected and has said that it will be silent: no limit holds for it. */
export function offlinePolicyAfter({ protocol, reason }: { protocol: Protocol; reason: Reason }): OfflinePolicy {
  const by = reason === 'hibernating' ? 'kept' : protocol;
  return { silence: offlineAfterByProtocol[by], limited: by !== 'kept' };
}

/** Kinds of observations that say nothing about what the machine does: the timeline is told without them. */
export const quietKinds: readonly string[] = ['visualization', 'attributes'];

const day = 86_400_000;

/**
 * Observations before this moment are not kept any more, and none from before it is taken: that one counts once could
 * not be told.
 */
export const observedSince = ({ env, now }: { env: Pick<Env, 'observationDays'>; now: Date }): Date =>
  new Date(now.getTime() - env.observationDays * day);

export interface Position {
  /** Degrees, WGS 84. */
  latitude: number;
  longitude: number;
}

/** One of the errors that a machine has at the moment. */
export interface DeviceError {
  code: string;
  message: string | null;
  level: 'warning' | 'error';
}

/** The attribute with the codes of all errors that last, one per line. */
export const lastingErrors = 'errors';

/** A message understood. */
export interface Message {
  /** By the device's clock; `undefined`: it did not say. */
  at: Date | undefined;
  /** With the machine and the time it identifies the observation: the same one counts once. */
  kind: string;
  state: StateName;
  reason: Reason;
  mode: Mode | null;
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
  /** Metres: a counter of the device. */
  odometer: number | null;
  /** m2 since the message before. */
  area: number | null;
  /** m2: a counter of the device. */
  area_total: number | null;
  error: string | null;
  message: string | null;
  /**
   * Every error that lasts at this moment, from devices that repeat them all with each message: only new ones are
   * logged. Their codes are the attribute `errors`.
   */
  troubles?: readonly DeviceError[];
  /** Every key that means nothing to us, as it came. */
  attributes: Record<string, string | number | boolean>;
}

/** The message cannot be read: 400, nothing is stored. `device`, if that much was readable, says whose it was. */
export class InvalidMessage extends Error {
  constructor(
    what: string,
    readonly device?: string,
  ) {
    super(what);
    this.name = 'Unreadable';
  }
}
