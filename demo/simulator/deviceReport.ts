import type { StateName } from '../../schema/entities/machines';
import type { FloorReport, WalkOrder } from './floorWalk';

/** What a machine reports at one moment. */
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
  /** Counter of the device, in square metres. */
  areaTotal: number;
  /** Counter of the device, in metres. */
  odometer: number;
  /** Position of a robot on its own map, sent as `floor` in our own batch format. */
  floor?: FloorReport;
  /** Run of a robot on a floor that ends with this report, in our own batch format. */
  run?: Record<string, unknown> | undefined;
  /** Current or last order of a robot on a floor. */
  order?: WalkOrder | undefined;
}

export interface Counters {
  areaTotal: number;
  odometer: number;
}
