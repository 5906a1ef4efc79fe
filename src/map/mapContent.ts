/** Response of `GET /machines/map`, and its updates by events. */
import type { StateName } from '../../schema/entities/machines';
import type { Bounds } from './bounds';

/** Machines too close together to be drawn separately. */
export interface Cluster {
  latitude: number;
  longitude: number;
  count: number;
  /** Number of machines per state. */
  states: Partial<Record<StateName, number>>;
  /** Bounding box of its machines. */
  bbox: Bounds;
}

export interface MapPoint {
  id: number;
  serial_number: string;
  status: StateName;
  latitude: number;
  longitude: number;
  /** Percent. */
  battery: number | null;
  fleet_color: string | null;
}

export interface MapContent {
  clusters: Cluster[];
  points: MapPoint[];
  /** Number of machines positioned inside the requested rectangle. */
  total: number;
}

/** New values of a machine from a live event. */
export type Movement = Partial<Pick<MapPoint, 'status' | 'latitude' | 'longitude' | 'battery'>>;

/** Moves one machine in the response. Returns the same object if the machine is not drawn separately. */
export function moveMachine(result: MapContent, id: number, movement: Movement): MapContent {
  const index = result.points.findIndex((point) => point.id === id);
  if (index < 0) return result;
  const points = result.points.map((point, pointIndex) =>
    pointIndex === index ? { ...point, ...drawnValues(movement) } : point,
  );
  return { ...result, points };
}

/** The values that marks show. An event may carry others, or null for a position that was lost. */
function drawnValues({ status, latitude, longitude, battery }: Movement): Movement {
  return {
    ...(status ? { status } : {}),
    ...(typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : {}),
    ...(battery === undefined ? {} : { battery }),
  };
}
