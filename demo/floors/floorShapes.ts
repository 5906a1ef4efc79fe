/** Shapes of demo floors: rectangles in metres, with the y axis pointing up. */
import type { Transformation } from '../../schema/dsl/transformation';

export type Rectangle = readonly [left: number, low: number, right: number, high: number];

/** Obstacles of a plan. `shelf`: racks, counters and beds. `room`: an area behind walls. */
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
  /** Direction of the lanes; defaults to the longer side. */
  lanes?: 'x' | 'y';
}

/** Where the runs of a robot come from: its maker's cloud, our own batch format, VDA 5050 orders, or the timeline. */
export type RobotRole = 'gausium' | 'pudu' | 'batch' | 'vda' | 'derived';

export interface DemoFloor {
  name: string;
  level: number;
  /** Id that the robots use for their map; `transformation` converts that map to the floor. */
  mapId: string;
  transformation: Required<Transformation>;
  /** Matches names of suitable locations. */
  sites: RegExp;
  width: number;
  height: number;
  shapes: readonly DemoShape[];
  /** Zones; those to be cleaned are in the order of cleaning. */
  zones: readonly DemoZone[];
  task: string;
  /**
   * Robots of the floor. The simulator drives one of them live: preferably one with orders, and never one whose runs
   * come from a maker's cloud.
   */
  robots: readonly RobotRole[];
  /** Robots rarely complete a run here. */
  failsOften?: boolean;
}
