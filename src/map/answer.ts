/** What `GET /machines/map` answers, and what an event changes in it. */
import type { StateName } from '../../schema/entities/machines';
import type { Bounds } from './bounds';

/** Machines too close together to be drawn one by one. */
export interface Cluster {
  latitude: number;
  longitude: number;
  count: number;
  /** How many of them are in each state. */
  states: Partial<Record<StateName, number>>;
  /** The smallest rectangle that holds them all. */
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

export interface MapAnswer {
  clusters: Cluster[];
  points: MapPoint[];
  /** Machines with a position inside the rectangle asked for. */
  total: number;
}

/** A machine's new values, as a live event carries them. */
export type Movement = Partial<Pick<MapPoint, 'status' | 'latitude' | 'longitude' | 'battery'>>;

/** The answer with one machine moved; the same object when the machine is not drawn on its own. */
export function moved(answer: MapAnswer, id: number, movement: Movement): MapAnswer {
  const at = answer.points.findIndex((point) => point.id === id);
  if (at < 0) return answer;
  const points = answer.points.map((point, index) => (index === at ? { ...point, ...known(movement) } : point));
  return { ...answer, points };
}

/** Only what places and paints a machine: an event may carry more, or a position that was lost. */
function known({ status, latitude, longitude, battery }: Movement): Movement {
  return {
    ...(status ? { status } : {}),
    ...(typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : {}),
    ...(battery === undefined ? {} : { battery }),
  };
}
