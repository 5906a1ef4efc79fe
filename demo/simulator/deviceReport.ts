import type { StateName } from '../../schema/entities/machines';
import type { FloorReport, WalkOrder } from './floorWalk';

/** State of a machine at one moment, in SI units. */
export interface DeviceReport {
  at: Date;
  state: StateName;
  /** Whole percent. */
  battery: number;
  latitude: number;
  longitude: number;
  heading: number;
  /** m/s */
  speed: number;
  /** m2 since the previous report. */
  area: number;
  /** Counters of the device, in m2 and metres. */
  areaTotal: number;
  odometer: number;
  /** Only for a robot on a floor: its position on its own map, and the run that ends with this report. */
  floor?: FloorReport;
  run?: Record<string, unknown> | undefined;
  order?: WalkOrder | undefined;
}

export interface Counters {
  areaTotal: number;
  odometer: number;
}
