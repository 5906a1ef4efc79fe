/** A robot on its floor. It drives lanes while it cleans, and reports the run at the end. */
import { polygonArea } from '../../schema/dsl/polygons';
import {
  type CleaningPath,
  cleaningPath,
  cornersOf,
  type PathPoint,
  pointOnMap,
  pointOnPath,
} from '../floors/cleaningPath';
import type { DemoFloor } from '../floors/floorShapes';

export interface FloorWalk {
  floor: DemoFloor;
  /** Width of the robot's tool in metres. */
  width: number;
  path: CleaningPath;
  /** Metres since the start of the run. */
  metres: number;
  /** Whether the robot reports its runs; otherwise the server derives them. */
  reportsRuns: boolean;
  /** The run in progress, if any. */
  run?: { startedAt: Date; battery: number } | undefined;
  /** Seconds of cleaning in all runs. */
  seconds: number;
  order?: WalkOrder | undefined;
}

/** The VDA 5050 order that the robot executes, or executed last; each order cleans one zone. */
export interface WalkOrder {
  id: string;
  /** Index of the zone among those to be cleaned. */
  zone: number;
  name: string;
  status: 'RUNNING' | 'PAUSED' | 'FINISHED' | 'FAILED';
}

/** On a floor where runs go badly, something blocks the robot for `seconds` out of every `every` seconds. */
const blockage = { seconds: 45, every: 420 };

export const isBlocked = ({ floor, seconds }: FloorWalk): boolean =>
  floor.failsOften === true && seconds % blockage.every > blockage.every - blockage.seconds;

/** Updates the order along the path. An order that is unfinished when cleaning ends has failed. */
export function followOrder(walk: FloorWalk, { at, isCleaning }: { at: Date; isCleaning: boolean }): void {
  const { order, floor, path, metres } = walk;
  const zone = path.zoneEnds.findIndex((end) => metres < end);
  if (order && !isEnded(order)) {
    const status = zone !== order.zone ? 'FINISHED' : !isCleaning ? 'FAILED' : isBlocked(walk) ? 'PAUSED' : 'RUNNING';
    walk.order = { ...order, status };
    return;
  }
  const name = floor.zones.filter(({ kind }) => kind === 'clean')[zone]?.name;
  if (isCleaning && name !== undefined)
    walk.order = { id: `${name} ${at.toISOString()}`, zone, name, status: 'RUNNING' };
}

export const isEnded = ({ status }: WalkOrder): boolean => status === 'FINISHED' || status === 'FAILED';

/** A position on the robot's own map, in our own batch format. */
export interface FloorReport extends PathPoint {
  map_id: string;
}

/** Places a robot at the dock of its floor. */
export function createFloorWalk(floor: DemoFloor, width: number, reportsRuns: boolean): FloorWalk {
  const zones = floor.zones.filter(({ kind }) => kind === 'clean');
  const [left, low, right, high] = floor.zones.find(({ kind }) => kind === 'dock')?.at ?? [0, 0, 2, 2];
  const path = cleaningPath(zones, width, [(left + right) / 2, (low + high) / 2]);
  return { floor, width, path, metres: 0, reportsRuns, seconds: 0 };
}

/** Returns the position in metres east and north of the floor's centre, and the heading from north. */
export function offsetFromCentre({ floor, path, metres }: FloorWalk): { east: number; north: number; heading: number } {
  const { x, y, theta } = pointOnPath(path, metres);
  const heading = (450 - (theta * 180) / Math.PI) % 360;
  return { east: x - floor.width / 2, north: y - floor.height / 2, heading };
}

/** Returns the position on the robot's own map, rounded to thousandths of its unit. */
export function floorReportOf({ floor, path, metres }: FloorWalk): FloorReport {
  const { x, y, theta } = pointOnMap(pointOnPath(path, metres), floor.transformation);
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return { map_id: floor.mapId, x: round(x), y: round(y), theta: round(theta) };
}

/** Returns the run that ends now, in our own batch format; `undefined` if it began before the simulation. */
export function runReportOf(
  { floor, width, metres, run }: FloorWalk,
  { at, battery }: { at: Date; battery: number },
): Record<string, unknown> | undefined {
  if (!run) return undefined;
  const zones = floor.zones.filter(({ kind }) => kind === 'clean');
  const totalArea = zones.reduce((sum, zone) => sum + polygonArea(cornersOf(zone.at)), 0);
  const cleanedArea = Math.min(totalArea, Math.round(metres * width * 9) / 10);
  return {
    ...{ external_id: `${floor.mapId}-live-${run.startedAt.toISOString()}`, task_id: floor.mapId, mode: 'scrub' },
    ...{ task_name: floor.failsOften ? floor.task : 'Spot cleaning', map_id: floor.mapId },
    ...{ started_at: run.startedAt.toISOString(), ended_at: at.toISOString() },
    ...{ outcome: floor.failsOften ? 'partial' : 'completed', cleaned_area_m2: cleanedArea },
    ...{ planned_area_m2: floor.failsOften ? totalArea : Math.min(totalArea, Math.ceil(cleanedArea * 1.03)) },
    ...{ distance_m: Math.round(metres), battery_start: run.battery, battery_end: battery },
  };
}
