import type { StateName } from '../../schema/entities/machines';

/** What a machine knows about itself at one moment, in SI units. */
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
  /** m2 since the report before. */
  area: number;
  /** Counters of the device: m2 and metres. */
  areaTotal: number;
  odometer: number;
}

export interface Counters {
  areaTotal: number;
  odometer: number;
}
