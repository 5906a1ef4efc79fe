/** Finds for each floor one of the demo robots with runs there, to simulate it live. Prefers robots with orders. */
import { cleaningAction } from '../floors/cleaningAction';
import { floorOfMap } from '../floors/floorPlans';
import type { DemoFloor } from '../floors/floorShapes';

export interface LiveRobot {
  floor: DemoFloor;
  reportsRuns: boolean;
  /** Whether the robot speaks VDA 5050. The server then derives its runs from its orders. */
  takesOrders: boolean;
}

interface ListedRun {
  machine_id: number;
  source: string;
  mode_raw: string | null;
}

/** Returns robots by machine id. `read` returns the rows of a list call of the API. */
export async function findFloorRobots(read: <T>(path: string) => Promise<T[]>): Promise<Map<number, LiveRobot>> {
  const robots = new Map<number, LiveRobot>();
  for (const { id, maps } of await read<{ id: number; maps: { map_id: string }[] | null }>('floors?per_page=500')) {
    const floor = (maps ?? []).flatMap(({ map_id }) => floorOfMap(map_id) ?? [])[0];
    if (!floor) continue;
    const runs = await read<ListedRun>(`runs?filter[floor_id]=${id}&sort=-started_at&per_page=100`);
    const orderRun = runs.find(({ mode_raw }) => mode_raw === cleaningAction);
    // Runs with another `mode_raw` come from vendors' clouds, which report for their robots.
    const ownRun = orderRun ?? runs.find(({ mode_raw }) => mode_raw === null);
    if (!ownRun) continue;
    const isReported = runs.some((run) => run.machine_id === ownRun.machine_id && run.source === 'reported');
    const takesOrders = ownRun === orderRun;
    robots.set(ownRun.machine_id, { floor, takesOrders, reportsRuns: isReported && !takesOrders });
  }
  return robots;
}
