/** Floors of the demo as rectangles in metres, the y axis up. */
import type { Transformation } from '../../schema/dsl/transformation';

export type Rectangle = readonly [left: number, low: number, right: number, high: number];

/** What a plan shows and nobody cleans. `shelf`: racks, counters and beds; `room`: behind a wall. */
export interface DemoShape {
  kind: 'shelf' | 'room';
  at: Rectangle;
  label?: string;
}

export interface DemoZone {
  name: string;
  kind: 'clean' | 'no_go' | 'dock';
  at: Rectangle;
  every_days?: number;
  /** Direction of the lanes; by default along the longer side. */
  lanes?: 'x' | 'y';
}

/** Who reports the runs of a robot: its maker's cloud, itself by our own batch or by orders of VDA 5050, or nobody. */
export type RobotRole = 'gausium' | 'pudu' | 'batch' | 'vda' | 'derived';

export interface DemoFloor {
  name: string;
  level: number;
  /** How the robots call their map, and where it lies on the floor. */
  mapId: string;
  transformation: Required<Transformation>;
  /** Names of sites that it suits. */
  sites: RegExp;
  width: number;
  height: number;
  shapes: readonly DemoShape[];
  /** Those to be cleaned in the order in which robots clean them. */
  zones: readonly DemoZone[];
  task: string;
  /** The first one is live in the simulator. */
  robots: readonly RobotRole[];
  /** Robots rarely finish here. */
  goesBadly?: boolean;
}
