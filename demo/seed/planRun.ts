/** Simulates one stretch of cleaning by a demo robot: outcome, interruptions, positions. Pure functions. */

import { polygonArea } from '../../schema/dsl/polygons';
import type { Interruption } from '../../schema/dsl/shapes';
import { isoOfSeconds } from '../../server/telemetry/timeline/timeline';
import { type CleaningPath, cleaningPath, cornersOf, pointOnPath } from '../floors/cleaningPath';
import type { DemoFloor } from '../floors/floorShapes';
import { createRandom, type Random } from './random';

/** A stretch in which a robot cleans a floor. */
export interface RobotStretch {
  floor: DemoFloor;
  machineId: number;
  /** Width of the robot's tool in metres. */
  width: number;
  /** Seconds since 1970. */
  from: number;
  to: number;
}

type Outcome = 'completed' | 'partial' | 'aborted' | 'failed';
const outcomes: readonly Outcome[] = ['completed', 'partial', 'aborted', 'failed'];

/** Outcomes and interruptions of runs; `stops` and `stopMinutes` are ranges. */
const profiles = {
  reliable: {
    weights: [92, 5, 3, 0],
    stops: [0, 1],
    stopMinutes: [1, 4],
    reasons: ['Obstacle in the way', 'Person in the way'],
  },
  unreliable: {
    weights: [10, 46, 30, 14],
    stops: [3, 7],
    stopMinutes: [4, 22],
    reasons: [
      'Pallet in the aisle',
      'Localisation lost',
      'Dirty water tank full',
      'Blocked by a forklift',
      'Brush jammed',
    ],
  },
} as const;
/** Range of the cleaned share of the planned area, by outcome. */
const shares: Readonly<Record<Outcome, readonly [number, number]>> = {
  completed: [1, 1],
  partial: [0.45, 0.75],
  aborted: [0.15, 0.42],
  failed: [0.03, 0.15],
};
/** In metres per second. */
const speeds = { min: 0.25, max: 1.4 };

/** The simulated run of a robot in one stretch. */
export interface PlannedRun {
  outcome: Outcome;
  /** In square metres. */
  plannedArea: number;
  cleanedArea: number;
  /** In metres. */
  distance: number;
  /** In percent. */
  batteryStart: number;
  batteryEnd: number;
  /** In litres. */
  water: number;
  interruptions: Interruption[];
  path: CleaningPath;
  /** In metres per second. */
  speed: number;
}

/** Plans a run. The same robot and start always yield the same run. */
export function planRun({ floor, machineId, width, from, to }: RobotStretch): PlannedRun {
  const random = createRandom(machineId * 65_537 + Math.floor(from / 60));
  const profile = profiles[floor.failsOften ? 'unreliable' : 'reliable'];
  const zones = floor.zones.filter(({ kind }) => kind === 'clean');
  const dock = floor.zones.find(({ kind }) => kind === 'dock')?.at ?? [0, 0, 2, 2];
  const path = cleaningPath(zones, width, [(dock[0] + dock[2]) / 2, (dock[1] + dock[3]) / 2]);
  const plannedArea = zones.reduce((sum, { at }) => sum + polygonArea(cornersOf(at)), 0);
  const plannedOutcome = outcomes[random.weighted(profile.weights)] as Outcome;
  const [minShare, maxShare] = shares[plannedOutcome];
  const interruptions = interruptionsOf(random, { profile, from, to });
  const stoppedSeconds = interruptions.reduce(
    (sum, interruption) => sum + secondsOf(interruption).to - secondsOf(interruption).from,
    0,
  );
  const movingSeconds = Math.max(60, to - from - stoppedSeconds);
  // A short stretch leaves no time to clean everything.
  const maxReachableShare = (speeds.max * movingSeconds) / path.length;
  const share = Math.min(maxReachableShare, minShare + (maxShare - minShare) * random.next());
  const outcome = plannedOutcome === 'completed' && share < 1 ? 'partial' : plannedOutcome;
  const speed = Math.min(speeds.max, Math.max(speeds.min, (path.length * share) / movingSeconds));
  const batteryStart = random.between(90, 100);
  const cleanedArea = Math.round(plannedArea * share * (0.95 + random.next() * 0.04) * 10) / 10;
  return {
    ...{ outcome, plannedArea, cleanedArea, path, speed, interruptions, batteryStart },
    // A completed run drives on, back along its path, until its time is up.
    distance: Math.round(
      outcome === 'completed' ? speed * movingSeconds : Math.min(speed * movingSeconds, path.length * share),
    ),
    batteryEnd: Math.max(8, Math.round(batteryStart - ((to - from) / 3600) * 18)),
    water: Math.round(cleanedArea * (0.9 + random.next() * 0.3)) / 100,
  };
}

const secondsOf = ({ at, resolved_at }: Interruption) => ({
  from: Date.parse(at) / 1000,
  to: Date.parse(resolved_at ?? at) / 1000,
});

function interruptionsOf(
  random: Random,
  { profile, from, to }: { profile: (typeof profiles)[keyof typeof profiles]; from: number; to: number },
): Interruption[] {
  const count = random.between(profile.stops[0], profile.stops[1]);
  const slot = (to - from) / (count + 1);
  return Array.from({ length: count }, (_, nth) => {
    const start = Math.round(from + slot * (nth + 0.4 + random.next() * 0.4));
    const until = start + random.between(profile.stopMinutes[0] * 60, profile.stopMinutes[1] * 60);
    return {
      at: isoOfSeconds(start),
      reason: random.pick(profile.reasons),
      resolved_at: isoOfSeconds(Math.min(until, from + slot * (nth + 1.3))),
    };
  });
}

export interface RobotPosition {
  /** Seconds since 1970. */
  at: number;
  /** Position in metres on the floor. */
  x: number;
  y: number;
  /** Radians, counter-clockwise from the x axis. */
  theta: number;
  /** In metres per second. */
  speed: number;
  /** In percent. */
  battery: number;
}

/** Maximum seconds between two positions of a moving robot. */
const step = 6;

/** Returns positions of the robot every few seconds, and at each corner, where it turns. */
export function positionsOf(run: PlannedRun, { machineId, from, to }: RobotStretch): RobotPosition[] {
  const random = createRandom(machineId + from);
  const { path, speed, distance, interruptions, batteryStart, batteryEnd } = run;
  const stops = interruptions.map(secondsOf);
  const positions: RobotPosition[] = [];
  let metres = 0;
  for (let time = from; time <= to; ) {
    const stop = stops.find((candidate) => time >= candidate.from && time < candidate.to);
    const isMoving = !stop && metres < distance;
    const jitter = () => (random.next() - 0.5) * 0.03;
    const { x, y, theta } = pointOnPath(path, metres);
    positions.push({
      at: time,
      ...{ x: x + jitter(), y: y + jitter(), theta: theta + jitter() },
      speed: isMoving ? Math.round(speed * 100) / 100 : 0,
      battery: Math.round(batteryStart + ((batteryEnd - batteryStart) * (time - from)) / (to - from)),
    });
    if (!isMoving) {
      time = Math.min(stop?.to ?? time + step, time + step * 4);
      continue;
    }
    const seconds = Math.min(step, (nextCorner(path, metres) - metres) / speed);
    metres += seconds * speed;
    time += seconds;
  }
  return positions;
}

/** Metres travelled on arrival at the next corner. The path is driven forwards and backwards in turn. */
function nextCorner({ lengths, length }: CleaningPath, metres: number): number {
  const timesDriven = Math.floor((metres + 1e-6) / length);
  const start = timesDriven * length;
  const distanceAlong = metres - start + 1e-6;
  const ahead =
    timesDriven % 2 === 0
      ? lengths.find((to) => to > distanceAlong)
      : length - (lengths.findLast((to) => length - to > distanceAlong) ?? 0);
  return start + (ahead ?? length);
}
