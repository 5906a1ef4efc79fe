import type { StateName } from '../../schema/entities/machines';
import type { FloorReport, WalkOrder } from './floorWalk';

/** State of a machine at one moment, in SI units. */
export interface DeviceReport {
  at: Date;
  state: StateName;
  /** In whole percent. */
  battery: number;
  latitude: number;
  longitude: number;
  /** Degrees from north. */
  heading: number;
  /** m/s */
  speed: number;
  /** Square metres since the previous report. */
  area: number;
  /** Counters of the device, in square metres and metres. */
  areaTotal: number;
  odometer: number;
  /**
   * For robots on floors: position on the robot's own map, the run that ends with this report, and the current order.
   */
  floor?: FloorReport;
  run?: Record<string, unknown> | undefined;
  order?: WalkOrder | undefined;
}

export interface Counters {
  areaTotal: number;
  odometer: number;
}
