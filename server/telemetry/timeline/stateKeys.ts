/**
 * The keys that decide state and mode, for devices that send a key only when it changes. A key keeps its value until a
 * later message sends it again. Pure.
 *
 * A set of keys is one number with a digit per key: the database stores it in two bytes, and 0 is the empty set.
 */
import type { StateName } from '../../../schema/entities/machines';
import type { Mode, Reason, StateKeys } from './observation';

/** Values of each key by its digit; 0 stands for a missing key. */
const statusWords = [undefined, 'other', 'charging', 'cleaning', 'parked'] as const;
const booleans = [undefined, false, true] as const;
const modes = [undefined, null, 'robotic', 'manual', 'teaching'] as const;

export interface StateKeyValues {
  status?: (typeof statusWords)[number];
  charging?: boolean | undefined;
  moving?: boolean | undefined;
  /** `null`: an unknown mode. */
  mode?: Mode | null | undefined;
}

/** Bits of a digit. Every message takes several digits apart, so this is done by shifts. */
const bitsPerKey = 3;
const digitOf = (keys: StateKeys, position: number) => (keys >> (bitsPerKey * position)) & 7;

export function printStateKeys({ status, charging, moving, mode }: StateKeyValues): StateKeys {
  return (
    statusWords.indexOf(status) |
    (booleans.indexOf(charging) << bitsPerKey) |
    (booleans.indexOf(moving) << (2 * bitsPerKey)) |
    (modes.indexOf(mode) << (3 * bitsPerKey))
  );
}

export const parseStateKeys = (keys: StateKeys): StateKeyValues => ({
  status: statusWords[digitOf(keys, 0)],
  charging: booleans[digitOf(keys, 1)],
  moving: booleans[digitOf(keys, 2)],
  mode: modes[digitOf(keys, 3)],
});

/** Keys in force after a message: its own and, for keys that it lacks, the earlier ones. */
export function carryForwardKeys(earlier: StateKeys, later: StateKeys): StateKeys {
  let keys = later;
  for (let position = 0; position < 4; position += 1)
    if (digitOf(later, position) === 0) keys |= digitOf(earlier, position) << (bitsPerKey * position);
  return keys;
}

/** Digits from the weakest to the strongest, for messages of equal time that contradict each other. */
const digitsByStrength = [
  [0, 1, 4, 3, 2],
  [0, 1, 2],
  [0, 1, 2],
  [0, 1, 2, 3, 4],
];

/** Merges the keys of two messages of equal time: of each key the stronger value, and any value rather than none. */
export const mergeKeys = (first: StateKeys, second: StateKeys): StateKeys =>
  digitsByStrength.reduce((keys, strength, position) => {
    const [a, b] = [digitOf(first, position), digitOf(second, position)];
    return keys | ((strength.indexOf(a) > strength.indexOf(b) ? a : b) << (bitsPerKey * position));
  }, 0);

const stateByStatus: Readonly<Record<string, { state: StateName; reason: Reason }>> = {
  charging: { state: 'Charging', reason: 'charging' },
  cleaning: { state: 'Cleaning', reason: 'cleaning' },
  parked: { state: 'Parked', reason: 'parked' },
};

interface KeyedState {
  readonly state: StateName;
  readonly reason: Reason;
  readonly mode: Mode | null;
}

/** By keys, a few thousand at most: every message looks its state up, often twice. */
const keyedStates: KeyedState[] = [];

/** Precedence: Charging, Cleaning, Parked, Online. */
export function stateOfKeys(keys: StateKeys): KeyedState {
  keyedStates[keys] ??= buildState(keys);
  return keyedStates[keys];
}

function buildState(keys: StateKeys): KeyedState {
  const { status, charging, moving, mode = null } = parseStateKeys(keys);
  const namedState = status && stateByStatus[status];
  if (charging) return { state: 'Charging', reason: 'charging', mode };
  if (namedState) return { ...namedState, mode };
  return status === undefined && moving === false
    ? { state: 'Parked', reason: 'no_motion', mode }
    : { state: 'Online', reason: 'message', mode };
}
