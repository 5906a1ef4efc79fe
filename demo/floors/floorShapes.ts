/** Floors of the demo as rectangles in metres, y axis upwards. */
import type { Transformation } from '../../schema/dsl/transformation';

export type Rectangle = readonly [left: number, low: number, right: number, high: number];

/** Obstacles of a plan. `shelf`: racks, counters and beds; `room`: behind a wall. */
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

/** Source of a robot's runs: its maker's cloud, our own batch format, orders of VDA 5050, or the timeline. */
export type RobotRole = 'gausium' | 'pudu' | 'batch' | 'vda' | 'derived';

export interface DemoFloor {
  name: string;
  level: number;
  /** The robots' id of their map, and its transformation to the floor. */
  mapId: string;
  transformation: Required<Transformation>;
  /** Names of suitable locations. */
  sites: RegExp;
  width: number;
  height: number;
  shapes: readonly DemoShape[];
  /** Zones to be cleaned, in the order of cleaning. */
  zones: readonly DemoZone[];
  task: string;
  /** The simulator drives one of them live: preferably one with orders, otherwise one without a maker's cloud. */
  robots: readonly RobotRole[];
  /** Robots rarely finish here. */
  goesBadly?: boolean;
}
